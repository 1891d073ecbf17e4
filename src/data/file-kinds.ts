/** How a file holds games: a game a line, PGN, JSON Lines, Parquet, or plays that are turned into verbs. */
export type GameFileKind = 'lines' | 'pgn' | 'jsonl' | 'parquet' | 'play-by-play';

/** Retrosheet's files of plays (.EVA), of plays deduced from newspapers (.EDA) and of box scores (.EBA), by league. */
export const EVENT_FILE = /\.e[vdb][a-z]$/i;

const ENDINGS: Record<string, GameFileKind> = {
  txt: 'lines',
  uci: 'lines',
  pgn: 'pgn',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  parquet: 'parquet',
  xml: 'play-by-play',
};

/**
 * The kind of games a file's name tells, compression endings aside; null where it does not. ".json" does not: StatsAPI's
 * games end so, and now and then games a line.
 */
export function kindByName(name: string): GameFileKind | null {
  const bare = name.replace(/(?:\.(?:gz|zst|zip))+$/i, '');
  if (EVENT_FILE.test(bare)) return 'play-by-play';
  const ending = /\.([a-z]+)$/i.exec(bare)?.[1].toLowerCase() ?? '';
  return Object.hasOwn(ENDINGS, ending) ? ENDINGS[ending] : null;
}

/** The kind that the first bytes tell; null where they could be anything. */
export function kindByContent(head: Uint8Array): GameFileKind | null {
  const text = textOf(head);
  if (text.startsWith('PAR1')) return 'parquet';
  if (text.startsWith('{'))
    return /"(?:gamePk|gameData|liveData)"|^\{\s*"copyright"/.test(text) ? 'play-by-play' : 'jsonl';
  if (/^(?:\[\w+ "|%|1\.)/.test(text)) return 'pgn';
  if (/^id,/.test(text) || /^<(?:\?xml|!--|game\b|inning\b)/.test(text)) return 'play-by-play';
  return /^(?:[a-h][1-8]){2}[qrbn]?\s/.test(text) || /^(?:\[start\]\s|<sog>)/.test(text) ? 'lines' : null;
}

/** The first line of a head, whole words of it; empty where the bytes are no text or a page of the web. */
export function firstLine(head: Uint8Array): string {
  const text = textOf(head);
  const line = /^[^\r\n]*/.exec(text)![0];
  if (/[\u0000-\u0008\u000e-\u001f\ufffd]/.test(text) || /^<(?:!|html)/i.test(text)) return '';
  return line.length < text.length ? line.trim() : line.replace(/\s*\S*$/, '').trim() || line.trim();
}

function textOf(head: Uint8Array): string {
  return new TextDecoder().decode(head).trimStart();
}

/** What files hold games of a domain. */
export interface FileKinds {
  /** For people. */
  description: string;
  /** A file chooser's list of endings. */
  accept: string;
  /** The kind that holds games of this domain and of no other. */
  only?: GameFileKind;
  /** Whether archives have other files beside the games (rosters, team lists), which are passed over. */
  mixed?: boolean;
  /** The field of JSON Lines that is usual for the game, and how its text begins. */
  json: { field: string; example: string };
}

const PACKED = '.gz,.zst,.zip';

const FILE_KINDS: Readonly<Record<string, FileKinds>> = {
  chess: {
    description: '.uci.txt, .pgn, .jsonl or .parquet',
    accept: `.pgn,.txt,.uci,.jsonl,.ndjson,.parquet,${PACKED}`,
    only: 'pgn',
    json: { field: 'moves', example: 'e2e4 e7e5' },
  },
  baseball: {
    description:
      "Retrosheet event files (.EVA, .EVN), Gameday's inning_all.xml, StatsAPI games (.json), or verbs as .txt, .jsonl or .parquet",
    accept: `${eventFileEndings()},.xml,.json,.txt,.jsonl,.ndjson,.parquet,${PACKED}`,
    only: 'play-by-play',
    mixed: true,
    json: { field: 'tokens', example: '<sog> <newbatter> (id_100)' },
  },
};

const OTHERS: FileKinds = {
  description: '.txt (a game a line), .jsonl or .parquet',
  accept: `.txt,.jsonl,.ndjson,.parquet,${PACKED}`,
  json: { field: 'moves', example: '...' },
};

/** The kinds of files of a domain's games; a domain that is not named here has lines, JSON Lines and Parquet. */
export function fileKindsOf(domain: string): FileKinds {
  return FILE_KINDS[domain] ?? OTHERS;
}

/** The one domain whose games such files hold; null where they may hold any. */
export function domainOfKind(kind: GameFileKind | null): string | null {
  return Object.keys(FILE_KINDS).find((domain) => kind !== null && FILE_KINDS[domain].only === kind) ?? null;
}

/** File choosers know no patterns: the leagues' letters that Retrosheet has used. */
function eventFileEndings(): string {
  return [...'vdb'].flatMap((kind) => [...'anefr'].map((league) => `.e${kind}${league}`)).join(',');
}

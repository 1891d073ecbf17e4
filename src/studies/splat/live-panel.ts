import type { RunConfig } from '../../config/run-config.ts';
import { count } from '../../report/labels.ts';
import type { LiveChart, LivePanel, LiveReference, LiveScore } from '../live.ts';
import type { Published } from '../published.ts';
import { LEGAL_VERBS, questionScore, splatStory } from './story.ts';
import { countsDiffer } from './asking/spelt-count.ts';

/** What each question of the paper asks, for the title of its chart. */
const ASKS: Readonly<Record<string, string>> = {
  assignment: 'what is the state of play?',
  winning: 'who is ahead?',
  goal: 'which five words lead there?',
};

/** What is known of a run once its games have been read. */
interface Measured {
  /** Held-out questions of each form. */
  counts: Readonly<Record<string, number>>;
  random: LiveReference;
}

/** SPLAT's charts, one for Legal Verbs and one for each form of question. */
export function livePanel(
  config: RunConfig,
  forms: readonly string[],
  published: Published | null,
  measured: Measured | null,
): LivePanel {
  // The curve is of the next token, which is not what Legal Verbs counts in every game.
  const differ = countsDiffer(config.domain);
  const verbs = differ ? 'Next token' : 'Legal verbs';
  const chart = (name: string, title: string, score: Pick<LiveScore, 'name' | 'title' | 'label'>): LiveChart => ({
    ...{ name, title, unit: 'share' },
    scores: [{ ...score, headline: true }],
  });
  const charts = [
    chart('legal-verbs', `${verbs}: which words may follow?`, {
      name: LEGAL_VERBS,
      title: differ ? 'legal next tokens' : 'legal verbs',
      label: 'legal',
    }),
    ...forms.map((form) =>
      chart(form.replaceAll(' ', '-'), titled(form), { name: questionScore(form), title: form, label: 'right' }),
    ),
  ];
  const drawn = charts.flatMap(({ scores }) => scores.map(({ name }) => name));
  const paper = published && drawn.some((name) => name in published.values) ? published : null;
  return {
    study: 'splat',
    title: 'Does it follow the game?',
    views: [{ title: '', charts, note: noteOf(config, verbs, paper, measured) }],
    references: [...(paper ? [paper] : []), ...(measured ? [measured.random] : [])],
    story: splatStory(config, forms),
  };
}

/** "Assignment: what is the state of play?"; of a question that somebody added, its name. */
function titled(form: string): string {
  const title = form.charAt(0).toUpperCase() + form.slice(1);
  return form in ASKS ? `${title}: ${ASKS[form]}` : title;
}

function noteOf({ questions }: RunConfig, verbs: string, paper: Published | null, measured: Measured | null): string {
  const counts = Object.entries(measured?.counts ?? {}).map(([form, n]) => `${count(n)} of ${form}`);
  const asked = counts.length > 0 ? `, in ${counts.join(', ')} questions` : '';
  const dotted = [
    ...(measured ? ['random answers'] : []),
    ...(paper ? [`the ${paper.model} of ${paper.source}`] : []),
  ].join('; and ');
  return [
    `${verbs}: share of its likeliest words that the rules allow (R-precision), in games it never saw.`,
    questions === null
      ? 'Questions about the state of play can be asked of it once it is trained on them: choose “Questions about games” under Reads.'
      : `Questions: share answered rightly${asked}.`,
    ...(dotted === '' ? [] : [`Dotted: ${dotted}.`]),
  ].join(' ');
}

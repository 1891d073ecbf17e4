import { seededRandom } from '../../base/random.ts';
import { ok, type Result } from '../../base/result.ts';
import { proportion, shareEstimate } from '../../base/statistics.ts';
import { INSTANCE_SEED } from '../../config/instance-seed.ts';
import type { RunConfig } from '../../config/run-config.ts';
import type { Corpus } from '../../data/corpus.ts';
import type { Notation } from '../../domains/domain.ts';
import { domainNamed } from '../../domains/domains.ts';
import type { Live, LiveReference, LiveWatch } from '../live.ts';
import { askLegalVerbs } from './asking/legal-verbs.ts';
import { askQuestions } from './asking/ask-questions.ts';
import { ofOtherLines, randomBaselines, randomLegal } from './asking/random-baselines.ts';
import { livePanel } from './live-panel.ts';
import { askableEvents } from './questions/askable-events.ts';
import type { QuestionLine } from './questions/question.ts';
import { questionsFor, type Questions } from './questions/questions.ts';
import { publishedFor } from './published/published-for.ts';
import { LEGAL_VERBS, questionScore, RANDOM } from './story.ts';

/** Points of one held-out game, where there are fewer games than points wanted. */
const POINTS_A_GAME = 8;

/** What SPLAT's live scores ask. */
export interface LiveLines {
  questions: Questions;
  /** Beginnings of held-out games, for Legal Verbs. */
  prefixes: readonly Uint16Array[];
  /** State questions about held-out games; empty for a run that only reads games. Goals take five decodes each. */
  lines: readonly QuestionLine[];
}

/** Legal Verbs, and of a run that learns questions its answers. */
export const splatLive: Live = {
  panel(config) {
    const questions = questionsFor(config.domain, config.questions?.own ?? []);
    const forms = config.questions && questions.ok ? questions.value.forms.map(({ name }) => name) : [];
    return livePanel(config, forms, publishedFor(config), null);
  },
  async prepare(config, notation, games): Promise<Result<LiveWatch>> {
    const domain = domainNamed(config.domain);
    if (!domain.ok) return domain;
    const asked = liveLines(config, notation, games.probe);
    if (!asked.ok) return asked;
    const { questions, prefixes, lines } = asked.value;
    const forms = [...new Set(lines.map(({ form }) => form))].sort();
    const counts = Object.fromEntries(forms.map((form) => [form, lines.filter((line) => line.form === form).length]));
    return ok({
      empty: prefixes.length === 0,
      panel: () => livePanel(config, forms, publishedFor(config), { counts, random: randomAnswers(asked.value) }),
      async evaluate(engine, pause) {
        const verbs = await askLegalVerbs(engine, domain.value, notation, prefixes, { pause });
        if (!verbs.ok) return verbs;
        const answers = await askQuestions(engine, questions, lines, { pause, text: notation.text });
        if (!answers.ok) return answers;
        const right = (form: string): number =>
          answers.value.filter((answer) => answer.form === form && answer.correct).length;
        return ok({
          [LEGAL_VERBS]: shareEstimate(verbs.value.map(({ rPrecision }) => rPrecision)),
          ...Object.fromEntries(forms.map((form) => [questionScore(form), proportion(right(form), counts[form])])),
        });
      },
    });
  },
};

/** What a run is asked. Fails as `questionsFor` does. */
export function liveLines(config: RunConfig, notation: Notation, probe: Corpus): Result<LiveLines> {
  const found = questionsFor(config.domain, config.questions?.own ?? []);
  if (!found.ok) return found;
  const questions = found.value;
  const eventsOf = askableEvents(questions, notation, config.model.context);
  const held = [...probe].map((trace) => trace.subarray(0, eventsOf(trace)));
  const draw = (stream: string): QuestionLine[] => linesOf(questions, held, stream, config.evaluation.instances);
  return ok({
    questions,
    // Where the authors' questions stand, so that both scores speak of the same points of a game.
    prefixes: draw('legal verbs').map(({ prefix }) => prefix),
    lines: config.questions ? draw('held-out questions') : [],
  });
}

/** State questions about held-out games, one a game and then another as long as more are wanted. */
function linesOf(questions: Questions, games: readonly Uint16Array[], stream: string, n: number): QuestionLine[] {
  const lines: QuestionLine[] = [];
  for (let round = 0; round < POINTS_A_GAME; round++)
    for (const [game, trace] of games.entries()) {
      if (lines.length === n) return lines;
      const random = seededRandom(stream, INSTANCE_SEED, game, round);
      const point = questions.drawPoint(trace.length, { random, only: 'state' });
      const line = point && questions.makeAt(trace, point, { random, mode: 'released' });
      if (line) lines.push(line);
    }
  return lines;
}

/** R-precision of random tokens, and the right answers of other questions of the same kind. */
export function randomAnswers({ questions, prefixes, lines }: LiveLines): LiveReference {
  const { assignment, winning } = randomBaselines(questions, lines);
  const published: Record<string, number | null> = { assignment, winning };
  const ofForms = [...new Set(lines.map(({ form }) => form))].map((form) => [
    questionScore(form),
    published[form] ?? ofOtherLines(questions, lines, form)!,
  ]);
  return {
    label: RANDOM,
    values: { [LEGAL_VERBS]: randomLegal(questions, prefixes) ?? 0, ...Object.fromEntries(ofForms) },
  };
}

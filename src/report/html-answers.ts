import { escaped } from './escape.ts';
import type { LinkTo } from './html-tables.ts';
import { count } from './labels.ts';
import type { AnswerView, Report } from './report.ts';
import type { Member } from './table.ts';

/** Answers that a list shows at most, and at least where many numbers have lists. */
const MOST = 12;
const LEAST = 3;
/** Answers in all lists together, some half a kilobyte each. */
const ALTOGETHER = 3000;

interface List {
  id: string;
  titles: string[];
  members: readonly Member[];
}

type Telling = Pick<Report, 'answer' | 'isRight' | 'right'>;

/** Collects the lists of answers that numbers link to; numbers of the same answers share one. */
export function answerLists(telling: Telling): { linkTo: LinkTo; html: () => string } {
  const lists = new Map<string, List>();
  const linkTo: LinkTo = (title, members) => {
    const key = members.map(({ assessment, set, answer }) => `${assessment}.${set}.${answer}`).join();
    const list = lists.get(key) ?? { id: `list-${lists.size + 1}`, titles: [], members };
    list.titles.push(title);
    lists.set(key, list);
    return list.id;
  };
  const html = (): string => {
    const each = Math.min(MOST, Math.max(LEAST, Math.floor(ALTOGETHER / Math.max(1, lists.size))));
    return [...lists.values()].map((list) => listHtml(list, telling, each)).join('\n');
  };
  return { linkTo, html };
}

/** One list: the count, then the first answers, wrong ones before right ones. */
function listHtml({ id, titles, members }: List, { answer, isRight, right }: Telling, most: number): string {
  const wrong = members.filter((member) => !isRight(member));
  const shown = [...wrong, ...members.filter(isRight)].slice(0, most);
  const rightOnes = members.length - wrong.length;
  const counted = `${answers(members.length)}: ${count(rightOnes)} ${right}, ${count(wrong.length)} not.`;
  const capped = shown.length < members.length ? ` The first ${shown.length}, wrong ones before right ones:` : '';
  const more = titles.length > 1 ? `<p class="soft">Also behind: ${titles.slice(1).map(escaped).join('; ')}.</p>` : '';
  return `<section id="${id}"><h3>${escaped(titles[0])}</h3><p>${counted}${capped}</p>${more}<ol>${shown.map((member) => itemHtml(answer(member))).join('')}</ol></section>`;
}

function itemHtml({ question, model, verdict, more, prompt }: AnswerView): string {
  const asked = prompt === '' ? '' : `<code class="prompt">${escaped(prompt)}</code>`;
  return `<li>${escaped(question)} ${escaped(model)}: <b>${escaped(verdict)}</b>.${more === '' ? '' : ` ${escaped(more)}`}${asked}</li>`;
}

const answers = (many: number): string => `${count(many)} answer${many === 1 ? '' : 's'}`;

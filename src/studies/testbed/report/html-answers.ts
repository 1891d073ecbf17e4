import type { Assessment } from '../assessment.ts';
import { toldAnswer } from './answer-description.ts';
import { escaped } from '../../../report/escape.ts';
import type { LinkTo } from '../../../report/html-tables.ts';
import { count } from '../../../report/labels.ts';
import type { Member } from '../../../report/table.ts';

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

/** How the lists tell answers of one paper or another. */
export interface Telling {
  isRight(member: Member): boolean;
  /** "legal", "right": what right answers are. */
  right: string;
  /** One answer, as the HTML of a list's item. */
  item(member: Member): string;
}

/** The lists of the testbed's answers. */
export function linkTargets(assessments: readonly Assessment[]): { linkTo: LinkTo; html: () => string } {
  return answerLists({
    isRight: ({ assessment, set, answer }) => assessments[assessment].sets[set].answers[answer].legal,
    right: 'legal',
    item: (member) => {
      const told = toldAnswer(assessments, member);
      return `${escaped(told.question)} ${escaped(told.model.name)}: <b>${escaped(told.verdict)}</b>. Legal: ${escaped(told.legal.join(' '))}.<code class="prompt">${escaped(told.prompt)}</code>`;
    },
  });
}

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
function listHtml({ id, titles, members }: List, { isRight, right, item }: Telling, most: number): string {
  const wrong = members.filter((member) => !isRight(member));
  const shown = [...wrong, ...members.filter(isRight)].slice(0, most);
  const rightOnes = members.length - wrong.length;
  const counted = `${answers(members.length)}: ${count(rightOnes)} ${right}, ${count(wrong.length)} not.`;
  const capped = shown.length < members.length ? ` The first ${shown.length}, wrong ones before right ones:` : '';
  const more = titles.length > 1 ? `<p class="soft">Also behind: ${titles.slice(1).map(escaped).join('; ')}.</p>` : '';
  const items = shown.map((member) => `<li>${item(member)}</li>`);
  return `<section id="${id}"><h3>${escaped(titles[0])}</h3><p>${counted}${capped}</p>${more}<ol>${items.join('')}</ol></section>`;
}

const answers = (many: number): string => `${count(many)} answer${many === 1 ? '' : 's'}`;

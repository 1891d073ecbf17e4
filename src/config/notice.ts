/**
 * The notices of several sources as one, to be spread into what carries them: what must be said wherever their games are
 * used (manifest.ts). Nothing where none of them has any, and no sentence twice.
 */
export function noticeOf(...sources: readonly (string | undefined)[]): { notice?: string } {
  let notice = '';
  for (const text of sources)
    if (text !== undefined && !notice.includes(text)) notice = notice === '' ? text : `${notice} ${text}`;
  return notice === '' ? {} : { notice };
}

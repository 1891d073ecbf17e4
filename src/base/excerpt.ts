/** Most characters of a value in a message. */
const MOST = 60;

/** A value as a message quotes it: as JSON, and no longer than some sixty characters. */
export function excerpt(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= MOST ? text : `${text.slice(0, MOST)}…`;
}

/** A message whose quotations and unbroken runs of characters are cut to a length that can be read. */
export function withShortValues(message: string): string {
  if (message.length <= 2 * MOST) return message;
  const cut = message
    .replace(/"([^"\n]{61,})"/g, (_, quoted: string) => `"${quoted.slice(0, MOST)}…"`)
    .replace(/[^\s/\\]{200,}/g, (run) => `${run.slice(0, MOST)}…`);
  return cut.length <= MOST * 20 ? cut : `${cut.slice(0, MOST * 15)} … ${cut.slice(-MOST * 3)}`;
}

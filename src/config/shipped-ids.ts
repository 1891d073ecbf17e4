/** The trained models that come with the lab, as choices and starts of runs name them; larger ones before smaller. */
export const SHIPPED_IDS = ['shipped', 'shipped-taught', 'shipped-small', 'shipped-small-taught'] as const;
export type ShippedId = (typeof SHIPPED_IDS)[number];

/** Whether an id names one of them, and not a run or a model that was opened. */
export function isShipped(id: string): id is ShippedId {
  return SHIPPED_IDS.some((shipped) => shipped === id);
}

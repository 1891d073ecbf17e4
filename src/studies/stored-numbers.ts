import * as v from 'valibot';

/** Numbers of assessments as they come from a file. */

export const whole = v.pipe(v.number(), v.integer(), v.minValue(0));
export const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
/** Of a share: 95%. */
export const interval = v.tuple([share, share]);

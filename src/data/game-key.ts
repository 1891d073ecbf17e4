/**
 * 96 bits of hash of a game, as six characters. Keeping the games' text was rejected: ten million games would take
 * gigabytes, and were the hash perfectly even, two of them would agree with a chance of about 10^-15.
 */
export function gameKey(events: Uint16Array): string {
  let a = 0x9e3779b9;
  let b = 0x85ebca6b;
  let c = 0xc2b2ae35;
  for (let i = 0; i < events.length; i++) {
    const event = events[i] + 1;
    a = Math.imul(a ^ event, 0x01000193);
    a ^= a >>> 15;
    b = Math.imul(b + event, 0x2c1b3c6d);
    b ^= b >>> 13;
    c = Math.imul(c ^ (event * 0x10001), 0x297a2d39);
    c ^= c >>> 16;
  }
  return String.fromCharCode(a & 0xffff, a >>> 16, b & 0xffff, b >>> 16, c & 0xffff, c >>> 16);
}

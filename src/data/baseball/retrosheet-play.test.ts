import { expect, it } from 'vitest';
import { readPlay } from './retrosheet-play.ts';

/** "1-2 BXH": who goes where, X for out; with "." where the plate appearance goes on. */
function movementsText(event: string): string | null {
  const play = readPlay(event);
  if (play === null) return null;
  const words = play.movements.map(
    ({ from, to, out }) => `${'B123'[from]}${out ? 'X' : '-'}${to === 4 ? 'H' : String(to)}`,
  );
  return `${play.hit ? 'hit ' : ''}${words.join(' ')}${play.ends ? '' : ' .'}`.trim();
}

it.each([
  // From Retrosheet's description of its event files, and read by hand.
  ['8/F78', 'BX1'],
  ['63/G6M', 'BX1'],
  ['143/G1', 'BX1'],
  ['54(B)/BG25/SH.1-2', '1-2 BX1'],
  ['54(1)/FO/G5.3-H;B-1', '3-H 1X2 B-1'],
  ['64(1)3/GDP/G6', '1X2 BX1'],
  ['4(1)3/G4/GDP', '1X2 BX1'],
  ['8(B)84(2)/LDP/L8', '2X3 BX1'],
  ['3(B)3(1)/LDP', '1X2 BX1'],
  ['1(B)16(2)63(1)/LTP/L1', '2X3 1X2 BX1'],
  ['C/E2.1-2', '1-2 B-1'],
  ['S7', 'hit B-1'],
  ['S9/L9S.2-H;1-3', 'hit 2-H 1-3 B-1'],
  ['D7/G5.3-H;2-H;1-H', 'hit 3-H 2-H 1-H B-2'],
  ['T9/F9LD.2-H', 'hit 2-H B-3'],
  ['DGR/L9LS.2-H', 'hit 2-H B-2'],
  ['H/L7D', 'hit B-H'],
  ['HR9/F9LS.3-H;1-H', 'hit 3-H 1-H B-H'],
  ['E1/TH/BG15.1-3', '1-3 B-1'],
  ['3E1', 'B-1'],
  ['E3.1-2;B-1', '1-2 B-1'],
  ['FC5/G5.3XH(52)', '3XH B-1'],
  ['FC3/G3S.3-H;1-2', '3-H 1-2 B-1'],
  ['FLE5/P5F', '.'],
  ['HP.1-2', '1-2 B-1'],
  ['W.1-2', '1-2 B-1'],
  ['IW', 'B-1'],
  ['W+WP.2-3', '2-3 B-1'],
  ['K', 'BX1'],
  ['K23', 'BX1'],
  ['K+PB.1-2', '1-2 BX1'],
  ['K+WP.B-1', 'B-1'],
  ['K+SB2', '1-2 BX1'],
  ['K+CS2(26)/DP', '1X2 BX1'],
  ['K+CS2(2E6)/DP.1-2', '1-2 BX1'],
  ['NP', '.'],
  ['BK.3-H;1-2', '3-H 1-2 .'],
  ['CS2(13)', '1X2 .'],
  ['CSH(12)', '3XH .'],
  ['CS2(2E4).1-3', '1-3 .'],
  ['DI.1-2', '1-2 .'],
  ['OA.2X3(25)', '2X3 .'],
  ['PB.2-3', '2-3 .'],
  ['WP.2-3;1-2', '2-3 1-2 .'],
  ['PO2(14)', '2X2 .'],
  ['PO1(E3).1-2', '1-2 .'],
  ['POCS2(14)', '1X2 .'],
  ['POCSH(1361)', '3XH .'],
  ['SB3;SB2', '2-3 1-2 .'],
  ['SBH;SB2', '3-H 1-2 .'],
  ['SB2.1-3(E2/TH)', '1-3 .'],
  ['S5/G5.1-3(E5/TH);B-2', 'hit 1-3 B-2'],
  ['S8.2XH(8E2)', 'hit 2-H B-1'],
  ['S7.1X3(75)(E5)', 'hit 1X3 B-1'],
  ['S9/L.BX2(964)', 'hit BX2'],
  ['D8!/L8.1-H(UR)(NR)', 'hit 1-H B-2'],
  ['64(1)/FO/G.1-2', '1X2 B-1'],
])('%s is %s', (event, expected) => expect(movementsText(event)).toBe(expected));

it.each(['', 'X', 'Z9', 'S7.4-5', '64(4)3', 'K+', 'S7.1-', 'W+Q', '(', 'S7.1-3('.repeat(200)])(
  '"%s" is no play',
  (event) => expect(readPlay(event)).toBeNull(),
);

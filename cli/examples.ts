/**
 * An example of each command, which its help ends with. Most use what comes with the program, or files that an earlier
 * example writes, so that they run in any folder; cli/help.test.ts runs them in this order.
 */
const examples: Readonly<Record<string, string>> = {
  prepare: 'blindfold prepare chess-selfplay:dev --out my-games',
  train: 'blindfold train --data invented --domain noughts --preset splat-nano --steps 100 --out my-run',
  sweep: 'blindfold sweep --preset nano,lstm --equal flops --steps 300 --data chess-selfplay --out my-sweep',
  perplexity: 'blindfold perplexity --model chess-small --games my-games:test',
  'make-probes': 'blindfold make-probes --games chess-selfplay:test --range 5-50 --n 20 > probes.jsonl',
  probe: 'blindfold probe --model chess-small --probes probes.jsonl',
  bigbench: `echo '{"examples": [{"input": "e2e4 e7e5 g1", "target": ["e2", "f3", "h3"]}]}' | blindfold bigbench --model chess-small -`,
  soundness: 'blindfold soundness --model chess-small --games my-games:test --n 3',
  'study testbed': 'blindfold study testbed --model chess-small --games my-games --instances 20 --out testbed.json',
  'study splat': 'blindfold study splat --model noughts --games invented',
  'study self-play': 'blindfold study self-play --model chess-small --games my-games --count 3',
  'study soundness': 'blindfold study soundness --model chess-small --games my-games --count 3',
  'study strength': 'blindfold study strength --model chess-small --games my-games --count 3',
  'study equivalence': 'blindfold study equivalence --model chess-small --games my-games --pairs 5',
  'study bigbench': 'blindfold study bigbench --model chess-small --text @task.json',
  'study syntaxgym': 'blindfold study syntaxgym --model chess-small --suites chess_pin',
  report: 'blindfold report --from testbed.json --out report.html',
  classify: `echo '{"prefix": "e2e4 e7e5", "start": "f1", "predicted": "f3"}' | blindfold classify`,
  legal: 'echo "e2e4 e7e5" | blindfold legal',
  'splat make-questions': 'blindfold splat make-questions invented:test --domain noughts > questions.txt',
  'splat check': 'blindfold splat check questions.txt',
  'splat fine-tune': 'blindfold splat fine-tune --model my-run --data invented --steps 100 --out my-run-asked',
  'splat evaluate': 'blindfold splat evaluate --model my-run-asked --questions questions.txt --out splat.json',
  'splat simulate': 'blindfold splat simulate --games 3',
  'suite list': 'blindfold suite list suites',
  'suite run': 'blindfold suite run chess-small chess_pin',
  'suite evaluate': 'blindfold suite evaluate chess-small chess_pin',
  'suite surprisals': 'blindfold suite surprisals --model chess-small chess_pin > surprisals.json',
  'suite compute-surprisals': 'blindfold suite compute-surprisals chess-small chess_pin > surprisals.json',
  'suite aggregate': 'blindfold suite aggregate --suite suite.json --surprisals surprisals.tsv --spec spec.json',
  'suite export': 'blindfold suite export chess_pin --to blimp --out pairs',
  'suite baselines': 'blindfold suite baselines chess_pin --games my-games:train',
  'lm-zoo': 'echo "e2e4 e7e5 g1f3" | blindfold lm-zoo chess-small get_surprisals -',
  'baseball trace': 'blindfold baseball trace 2019.zip --check',
  export: 'blindfold export --model chess-small --to huggingface --out weights',
  import: 'blindfold import weights --out imported',
  ship: 'blindfold ship --model my-run --data chess-selfplay --source "Self-play of Stockfish" --games chess-selfplay:dev --probe-games chess-selfplay:test --training trained.json --seconds 90 --threads 2 --date 2026-01-31 --out shipped',
  bench: 'blindfold bench --list',
};

/** The example of a command such as "splat fine-tune"; undefined where there is none. */
export function exampleOf(path: string): string | undefined {
  const known = path.replace(/^syntaxgym /, 'suite ');
  return examples[known]?.replace(`blindfold ${known}`, `blindfold ${path}`);
}

export const EXAMPLES = Object.keys(examples);

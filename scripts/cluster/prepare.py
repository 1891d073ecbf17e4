"""`prepare` for tables of many million games: filters, drops duplicates, splits and writes shards by DuckDB.

    python prepare.py 'games/*.parquet' --out shards --name "My games" --source "Where they come from." --licence CC0-1.0

The table has a column of UCI moves with spaces between them ("e2e4 e7e5"); columns result, termination, white_elo and
black_elo are taken over. The folder opens in the lab and in `train --data` as one of `prepare` does, which also checks
every move by the rules: games that break them are named and left out there. It needs duckdb (pip install duckdb) and
works beyond memory.
"""

import argparse, hashlib, json
from pathlib import Path

import duckdb

arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
arguments.add_argument("table", help="Parquet or CSV, also a pattern such as 'games/*.parquet'")
arguments.add_argument("--out", required=True, type=Path)
arguments.add_argument("--name", required=True)
arguments.add_argument("--source", required=True, help="where the games come from, in a sentence")
arguments.add_argument("--licence", required=True)
arguments.add_argument("--moves", default="moves", help="the column of moves")
arguments.add_argument("--min-plies", type=int, default=10)
arguments.add_argument("--max-plies", type=int, default=150)
arguments.add_argument("--min-elo", type=int)
arguments.add_argument("--limit", type=int)
arguments.add_argument("--split", default="train=0.9,dev=0.05,test=0.05")
arguments.add_argument("--seed", type=int, default=1)
arguments.add_argument("--games-per-shard", type=int, default=100_000)
args = arguments.parse_args()
shares = {name: float(share) for name, share in (part.split("=") for part in args.split.split(","))}
if abs(sum(shares.values()) - 1) > 1e-6:
    raise SystemExit(f"--split {args.split}: the shares sum to {sum(shares.values())}, not to 1.")
if (args.out / "manifest.json").exists():
    raise SystemExit(f"{args.out} already holds prepared games; give another folder.")
args.out.mkdir(parents=True, exist_ok=True)

db = duckdb.connect(str(args.out / "prepare.tmp.duckdb"))
read = "read_csv" if ".csv" in args.table else "read_parquet"
columns = {row[0] for row in db.execute(f"DESCRIBE SELECT * FROM {read}(?)", [args.table]).fetchall()}
if args.moves not in columns:
    raise SystemExit(f"There is no column {args.moves!r} among {', '.join(sorted(columns))}; name it with --moves.")
types = {"result": "VARCHAR", "termination": "VARCHAR", "white_elo": "INTEGER", "black_elo": "INTEGER"}
extra = "".join(f", CAST({name} AS {type}) AS {name}" for name, type in types.items() if name in columns)
kept = ", ".join(["moves", "plies", *(name for name in types if name in columns)])
elo = f"AND white_elo >= {args.min_elo} AND black_elo >= {args.min_elo}" if args.min_elo is not None else ""
limit = f"LIMIT {args.limit}" if args.limit is not None else ""
# The order is a hash of seed and moves: the same games give the same shards, however many threads there are.
db.execute(
    f"""
    CREATE TABLE games AS
    WITH read AS (
        SELECT trim(regexp_replace("{args.moves}", '\\s+', ' ', 'g')) AS moves{extra} FROM {read}(?)
    ), counted AS (
        SELECT *, CAST(len(string_split(moves, ' ')) AS INTEGER) AS plies FROM read WHERE moves <> ''
    ), alone AS (
        SELECT DISTINCT ON (moves) {kept} FROM counted
        WHERE plies BETWEEN {args.min_plies} AND {args.max_plies} {elo} ORDER BY ALL
    ), drawn AS (
        SELECT *, md5('{args.seed} ' || moves) AS place FROM alone ORDER BY place {limit}
    )
    SELECT {kept}, row_number() OVER (ORDER BY place) - 1 AS number FROM drawn ORDER BY number
    """,
    [args.table],
)
(total,) = db.execute("SELECT count(*) FROM games").fetchone()
if total == 0:
    raise SystemExit("No game is left; look at the column of moves and at the filters.")

splits, reached, share_so_far = {}, 0, 0.0
for split, share in shares.items():
    share_so_far += share
    start, reached = reached, round(share_so_far * total)
    files = []
    for at in range(start, reached, args.games_per_shard):
        end = min(reached, at + args.games_per_shard)
        path = args.out / f"{split}-{len(files):05d}.parquet"
        rows = f"FROM games WHERE number >= {at} AND number < {end}"
        db.execute(f"COPY (SELECT {kept} {rows} ORDER BY number) TO '{path}' (FORMAT parquet, COMPRESSION gzip)")
        (plies,) = db.execute(f"SELECT sum(plies) {rows}").fetchone()
        data = path.read_bytes()
        entry = {"path": path.name, "games": end - at, "plies": int(plies)}
        files.append(entry | {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()})
    splits[split] = {"games": reached - start, "plies": sum(file["plies"] for file in files), "files": files}

lengths = dict(db.execute("SELECT plies // 10, count(*) FROM games GROUP BY ALL").fetchall())
filters = {"minPlies": args.min_plies, "maxPlies": args.max_plies, "minElo": args.min_elo, "limit": args.limit}
manifest = {
    **{"version": 1, "name": args.name, "domain": "chess", "source": args.source, "licence": args.licence},
    **{"filters": filters, "splitSeed": args.seed, "createdBy": f"prepare.py with DuckDB {duckdb.__version__}"},
    **{"splits": splits, "lengths": [lengths.get(bin, 0) for bin in range(max(lengths) + 1)]},
}
# The hash is of what JSON.stringify gives.
text = json.dumps(manifest, separators=(",", ":"), ensure_ascii=False)
manifest["hash"] = hashlib.sha256(text.encode()).hexdigest()
(args.out / "manifest.json").write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n")
db.close()
(args.out / "prepare.tmp.duckdb").unlink()
print(json.dumps({"kept": total, "splits": {name: split["games"] for name, split in splits.items()}}))

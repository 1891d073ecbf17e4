import { BOARD_STYLE } from './board-svg.ts';
import { colourVariables, figureStyle } from './figure-style.ts';

const light =
  '--page:#fbfaf7;--card:#fff;--ink:#1d1c1a;--soft:#625f58;--rule:#e3dfd6;--mark:#fff3d1;--accent:#0f6e68;--wrong:#b23412;--square-light:#f0ece3;--square-dark:#d8d1c3';
const dark =
  '--page:#161513;--card:#1e1d1a;--ink:#ece9e2;--soft:#a6a195;--rule:#34322d;--mark:#3d3520;--accent:#4fb8ae;--wrong:#f5936a;--square-light:#8d877d;--square-dark:#67625a';

/** The page's own style: a printed book, light or dark as the reader's system is, and light on paper. */
export const PAGE_STYLE = [
  `:root{color-scheme:light dark;${light}}@media(prefers-color-scheme:dark){:root{${dark}}}@media print{:root{color-scheme:light;${light}}}`,
  colourVariables(':root'),
  `*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 -apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Noto Sans','Liberation Sans',Arial,sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:break-word}`,
  'main,header,footer{max-width:1080px;margin:0 auto;padding:0 20px}header{padding-top:36px}footer{padding-bottom:60px;color:var(--soft)}',
  'h1{font-size:28px;line-height:1.2;margin:0 0 10px;font-weight:650}h2{font-size:20px;margin:44px 0 6px;line-height:1.25;font-weight:650}h3{font-size:15px;margin:22px 0 4px}',
  'p{margin:6px 0;max-width:76ch}a{color:var(--accent);text-underline-offset:2px}.soft,.notes,small{color:var(--soft)}small{font-size:12px}',
  'nav ol{columns:3 240px;padding:0;margin:8px 0;list-style:none}nav li{break-inside:avoid;padding:1px 0}',
  '.scroll{overflow-x:auto;margin:10px 0;border:1px solid var(--rule);border-radius:8px;background:var(--card)}',
  'table{border-collapse:collapse;width:100%;font-size:13.5px}th,td{padding:5px 10px;text-align:right;vertical-align:baseline;white-space:nowrap}',
  'thead th{font-weight:600;font-size:12px;color:var(--soft);border-bottom:1px solid var(--rule);white-space:normal;min-width:58px}thead .group{text-align:center;border-bottom:0;padding-bottom:0}',
  'th.label{text-align:left;font-weight:400;white-space:normal;min-width:88px}tbody th.label:nth-child(3){min-width:130px}th.first{font-weight:600}tr.new th,tr.new td{border-top:1px solid var(--rule)}',
  'td.text{text-align:left;white-space:normal;min-width:110px}td.text:last-child{min-width:210px}td b{font-weight:600}td a{font-weight:600}td .ci,td .paper{display:block;font-size:11px;line-height:1.3;font-weight:400;color:var(--soft)}',
  'tr.paper-only th,tr.paper-only td{color:var(--soft)}tr.own{background:color-mix(in srgb,var(--accent) 6%,transparent)}',
  '.notes{font-size:12.5px;margin:6px 0;padding-left:18px;max-width:96ch}.notes li{margin:2px 0}',
  'figure{margin:10px 0}figure svg.bf{display:block;width:100%;max-width:860px;height:auto;border:1px solid var(--rule);border-radius:8px}figure svg.bf.narrow{display:none}@media screen and (max-width:600px){figure svg.bf.wide{display:none}figure svg.bf.narrow{display:block}}',
  '.boards{display:grid;grid-template-columns:repeat(auto-fill,minmax(220px,1fr));gap:18px;margin:10px 0}.boards figcaption{font-size:12.5px;line-height:1.4;margin-top:6px}',
  'code{font:11.5px/1.45 ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}code.prompt{display:block;max-height:4.6em;overflow:auto;scrollbar-width:thin;margin-top:4px;padding:4px 6px;border:1px solid var(--rule);border-radius:5px;background:var(--card);user-select:all}',
  '.behind section{padding:2px 0 8px;border-top:1px solid var(--rule)}.behind h3{margin-top:10px}.behind section:target{background:var(--mark)}.behind ol{margin:4px 0;padding-left:26px}.behind li{margin:6px 0;font-size:13px}.behind code.prompt{max-height:none}',
  '.key td,.key th{white-space:normal}@media(max-width:600px){body{font-size:14px}main,header,footer{padding:0 14px}h1{font-size:23px}th,td{padding:5px 7px}}',
  '@media print{body{font-size:10.5pt;background:#fff}main,header,footer{max-width:none;padding:0}.behind,nav{display:none}.scroll{overflow:visible;border:0}table{font-size:8pt}th,td{padding:2px 4px}h2{break-after:avoid}figure,tr,.notes li{break-inside:avoid}code.prompt{max-height:none}a{color:inherit;text-decoration:none}}',
  figureStyle('auto').replace(colourVariables('.bf'), ''),
  BOARD_STYLE,
].join('\n');

/** The order of the layers as an ESLint rule. */
import { dirname, relative, resolve, sep } from 'node:path';

/**
 * A rule: a file of a layer imports files of its own layer and of those that `below` names for it, and no others.
 * @param below for each layer, a file or folder, those that it may import
 */
export function layersRule(below) {
  const layers = Object.keys(below).sort((a, b) => b.length - a.length);
  /** The innermost layer that a path is in. */
  const layerOf = (path) => layers.find((layer) => path === layer || path.startsWith(`${layer}/`));
  return {
    meta: {
      type: 'problem',
      schema: [],
      messages: { upward: 'imports go downward only (ARCHITECTURE.md): {{from}} may not import {{to}}' },
    },
    create(context) {
      const pathOf = (file) => relative(context.cwd, file).split(sep).join('/');
      const from = layerOf(pathOf(context.filename));
      if (!from) return {};
      const allowed = new Set([from, ...below[from]]);
      const check = ({ source }) => {
        // What has no path of its own is a package, or Node's.
        if (typeof source?.value !== 'string' || !source.value.startsWith('.')) return;
        const path = pathOf(resolve(dirname(context.filename), source.value.replace(/\?.*/, '')));
        const to = layerOf(path);
        if (!allowed.has(to)) context.report({ node: source, messageId: 'upward', data: { from, to: to ?? path } });
      };
      return {
        ImportDeclaration: check,
        ImportExpression: check,
        ExportNamedDeclaration: check,
        ExportAllDeclaration: check,
      };
    },
  };
}

import type { Rule } from 'eslint';

export function layersRule(below: Record<string, string[]>): Rule.RuleModule;

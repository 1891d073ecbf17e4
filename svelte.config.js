/** Type-only TypeScript in components is erased by the compiler itself, so no preprocessor is needed. */
export default {
  compilerOptions: { runes: true },
};

/** Vite's addresses of files that are served as they are. */
declare module '*?url' {
  const address: string;
  export default address;
}

interface ImportMeta {
  readonly env: { readonly DEV: boolean };
}

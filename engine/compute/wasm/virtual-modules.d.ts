/** The compiled kernels as base64 text, and `version`, a hash of all kernels' sources; `app/cli/bootstrap/kernels.mjs` makes them. */
declare module 'virtual:shoal-kernels/*' {
  const text: string;
  export default text;
}

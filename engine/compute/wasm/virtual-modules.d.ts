/** The compiled kernels as base64 text; `app/cli/bootstrap/kernels.mjs` makes them. */
declare module 'virtual:shoal-kernels/*' {
  const text: string;
  export default text;
}

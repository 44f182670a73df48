/** A hook of Node's module loader: who asks for `typescript` gets the one that has an interface for programs. */
export function resolve(specifier, context, next) {
  return next(specifier === 'typescript' ? 'typescript-5' : specifier, context);
}

/** The process that `buildInProcess` starts: calls the function that its arguments name. */
const [module, name, ...args] = process.argv.slice(2);
try {
  const functions = await import(new URL(module, import.meta.url).href);
  await functions[name](...args);
} catch (error) {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
}

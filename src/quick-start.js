// Imported before anything else by what a person waits for: it halves the time to ready. It is not TypeScript because
// the runtime would have to load its compiler for it, every time; all other files are kept as it has compiled them.
import { existsSync, readFileSync } from 'node:fs'
import { enableCompileCache, registerHooks } from 'node:module'

// Threads find it in the environment, and only there.
process.env.NODE_COMPILE_CACHE ||= new URL('../node_modules/.cache/millrace', import.meta.url).pathname
enableCompileCache(process.env.NODE_COMPILE_CACHE)

/** @type {Map<string, string | undefined>} */
const formats = new Map([['file:/', undefined]])

/** What the files beside this file or folder are, where that is plain: the runtime would look for it with each of them. */
function formatBeside(/** @type {string} */ url) {
  const folder = url.slice(0, url.lastIndexOf('/'))
  if (!formats.has(folder)) {
    const description = new URL(`${folder}/package.json`)
    formats.set(folder, existsSync(description) ? typeIn(description) : formatBeside(folder))
  }
  return formats.get(folder)
}

function typeIn(/** @type {URL} */ description) {
  const { type } = JSON.parse(readFileSync(description, 'utf8'))
  return type === 'module' ? type : undefined
}

// A relative import names a file, and a relative `require` nearly always one without its end: there is nothing to look for, which
// the runtime would do at length for each of hundreds.
registerHooks({
  resolve(specifier, context, nextResolve) {
    if (!specifier.startsWith('.') || context.parentURL === undefined) return nextResolve(specifier, context)
    const isImport = context.conditions.includes('import')
    const name = isImport || specifier.endsWith('.js') ? specifier : `${specifier}.js`
    const url = new URL(name, context.parentURL)
    if (name.endsWith('.ts')) return { url: url.href, format: 'module-typescript', shortCircuit: true }
    if (!name.endsWith('.js') || !(isImport || existsSync(url))) return nextResolve(specifier, context)
    return { url: url.href, format: formatBeside(url.href), shortCircuit: true }
  }
})

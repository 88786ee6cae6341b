import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SourceError } from './errors.ts'
import type { Step } from './index.ts'

/** A package that a driver needs and that is not shipped, because it is large or because no test here can run it. */
export interface NeededPackage {
  readonly name: string
  /** The version that the driver was written for. */
  readonly version: string
}

/** Loads a package from the folder for such packages; throws `driver_missing` with the command that adds it. */
export async function loadPackage<T>({ name, version }: NeededPackage, folder: string): Promise<T> {
  let path: string
  try {
    path = createRequire(join(folder, 'package.json')).resolve(name)
  } catch {
    const command = `npm install --prefix ${quoted(folder)} ${name}@${version}`
    throw new SourceError(
      'driver_missing',
      `This source needs the package ${name}, which is not shipped. Add it on the server with: ${command}`
    )
  }
  const loaded = await import(pathToFileURL(path).href)
  return loaded.default ?? loaded
}

/** The first step of a source whose driver needs a package. */
export function packageStep(needed: NeededPackage, folder: string): Step {
  return {
    name: 'driver',
    async run() {
      await loadPackage(needed, folder)
      return `The package ${needed.name} is there`
    }
  }
}

const quoted = (path: string) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)

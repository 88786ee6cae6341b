import { existsSync, readdirSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { totalsOf } from './engines/objects/disk/totals.ts'
import { HealthProblem } from './http/health-problem.ts'
import { metricText } from './http/metric-text.ts'

const MAX_STORES = 100

/** Numbers of object stores on this disk only: a remote store would have to be asked for each object. */
export async function renderObjects(objectsDir: string): Promise<string> {
  const gauge = (name: string, help: string, value: number) => metricText(name, 'gauge', help, [{ value }])
  const names = existsSync(objectsDir) ? readdirSync(objectsDir).slice(0, MAX_STORES) : []
  const totals = names.flatMap((name) => totalsOf(join(objectsDir, name)) ?? [])
  const sum = (field: 'objects' | 'bytes') => totals.reduce((all, store) => all + store[field], 0)
  return [
    gauge('millrace_objects_stored', 'Objects on the disk of this server', sum('objects')),
    gauge('millrace_objects_stored_bytes', 'Size of the objects on the disk of this server', sum('bytes'))
  ].join('')
}

/** Throws where the built-in store is on this disk and can't be used. */
export async function checkObjectsOnDisk(objectsDir: string): Promise<void> {
  const folder = join(objectsDir, 'builtin')
  if (!existsSync(folder)) return
  const { R_OK, W_OK } = constants
  try {
    for (const path of [folder, join(folder, 'index.db')]) await access(path, R_OK | W_OK)
  } catch (error) {
    throw new HealthProblem(
      "Objects in DATA_DIR can't be read and written: give the folder 'objects' back to the user of the server, or restore it",
      { cause: error }
    )
  }
}

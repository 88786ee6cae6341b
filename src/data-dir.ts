import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { objectsDir, pipelinesDir, seriesDir } from './data-paths.ts'
import type { Kept } from './engines/replicas/index.ts'

/** Whether any of it is on this disk, what pipelines hold being taken for objects; what a look at nothing has made does not count. */
export function holds(config: Config, kept: Kept): boolean {
  return kept === 'points' ? holdsPoints(config) : holdsObjects(config)
}

function holdsPoints(config: Config): boolean {
  const folder = seriesDir(config)
  const isLog = (name: string) =>
    /^log-\d+$/.test(name) && (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0) > 0
  return namesIn(folder).some((name) => name === 'points' || isLog(name))
}

function holdsObjects(config: Config): boolean {
  return namesIn(objectsDir(config)).length > 0 || namesIn(join(pipelinesDir(config), 'kept')).length > 0
}

const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : [])

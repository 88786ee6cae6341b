import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where `scripts/install-test-servers` puts the servers that are npm packages. */
const serversFolder = join(import.meta.dirname, '../../../.servers')

const commandFolders = `${process.env.PATH}${delimiter}/usr/sbin`.split(delimiter)

/** A file of the npm package that is installed under this name. */
export function serverFile(name: string, file: string): string {
  return join(serversFolder, name, 'node_modules', file)
}

/** Why a suite that needs these programs can't run here; undefined if it can. */
export function missingPrograms(...names: readonly string[]): string | undefined {
  const missing = names.find((name) => !commandFolders.some((folder) => existsSync(join(folder, name))))
  return missing === undefined ? undefined : notInstalled(missing)
}

/** Why a suite that needs this server can't run here; undefined if it can. */
export function missingFile(name: string, file: string): string | undefined {
  return existsSync(file) ? undefined : notInstalled(name)
}

function notInstalled(name: string): string {
  return `${name} is not installed: run scripts/install-test-servers`
}

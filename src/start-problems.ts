import { type Config, ConfigError } from './config.ts'
import { FolderInUse } from './engines/folder-lock.ts'
import { isPostgresMisaddressed, isUnavailable, sqliteTrouble } from './engines/metadata/index.ts'
import { StoreError } from './engines/objects/errors.ts'

/** Why the server does not start: a sentence that says which setting to look at. */
export class StartProblem extends Error {}

/** One sentence for what an operator can mend; anything else with its stack. */
export function reasonOf(error: unknown, config: Config | undefined): unknown {
  if (error instanceof StartProblem || error instanceof ConfigError || error instanceof FolderInUse)
    return error.message
  if (error instanceof StoreError && config?.objectsUrl !== undefined)
    return `The store of OBJECTS_URL can't be used: ${error.message}.`
  if (config === undefined) return error
  return ofFolder(error, config) ?? ofDatabase(error, config) ?? error
}

function ofFolder(error: unknown, { dataDir }: Config): string | undefined {
  const { message, path, syscall } = error as NodeJS.ErrnoException
  if (syscall === undefined || path === undefined || !path.startsWith(dataDir)) return undefined
  return `What is in DATA_DIR can't be used: ${message}. Give the files to the user that runs the server, or set another DATA_DIR.`
}

function ofDatabase(error: unknown, { databaseUrl, dataDir }: Config): string | undefined {
  if (databaseUrl !== undefined) return ofPostgres(error)
  const { message } = error as Error
  const trouble = sqliteTrouble(error)
  if (trouble !== undefined) return `${trouble.message}. It is metadata.db in DATA_DIR (${message}).`
  if (!isUnavailable(error)) return undefined
  return `The database metadata.db in DATA_DIR (${dataDir}) can't be opened: ${message}. See that the user that runs the server may write there, or set another DATA_DIR.`
}

/** Sentences by class of SQLSTATE, or by single state. */
const OF_POSTGRES: Readonly<Record<string, string>> = {
  '28': 'Check the user and the password in DATABASE_URL.',
  '3D000': 'Make the database, or name another one in DATABASE_URL.',
  '42501': 'Give the user of DATABASE_URL the right to make tables there.'
}

function ofPostgres(error: unknown): string | undefined {
  const { code = '', message } = error as NodeJS.ErrnoException
  const mend = OF_POSTGRES[code] ?? OF_POSTGRES[code.slice(0, 2)]
  if (mend !== undefined) return `The database refuses: ${message}. ${mend}`
  if (isPostgresMisaddressed(error))
    return `The database can't be used: ${message}. Check DATABASE_URL: user, password, port and sslmode.`
  if (isUnavailable(error))
    return `The database does not answer: ${message || code}. Check DATABASE_URL and its server.`
  return undefined
}

import { isDiskFull } from '../../full-disk.ts'
import { isUnwritable } from '../../unwritable.ts'
import { StoreError } from '../errors.ts'

/** Primary result codes of SQLite: CORRUPT, NOTADB. */
const DAMAGED = [11, 26]
const MEND_INDEX = "stop the server and restore the objects from a backup; 'millrace doctor' says what is left"

export function storeFull(cause?: unknown): StoreError {
  return new StoreError('store_full', 'The disk of the server is full', { cause })
}

function storeUnwritable(cause?: unknown): StoreError {
  const mend = "make its disk writable, or give the folder 'objects' back to the user of the server"
  return new StoreError('unwritable', `Objects in DATA_DIR can’t be written: ${mend}`, { cause })
}

/** Runs work with files, and turns errors of the disk into `StoreError`s. */
export async function orFault<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw diskFault(error) ?? error
  }
}

function diskFault(error: unknown): StoreError | undefined {
  if (isDiskFull(error)) return storeFull(error)
  return isUnwritable(error) ? storeUnwritable(error) : undefined
}

export function indexLost(): StoreError {
  return new StoreError('index_damaged', `The index of the objects is lost: ${MEND_INDEX}`)
}

/** An error of the index as a `StoreError`. */
export function indexFault(error: unknown, done: 'read' | 'written'): StoreError {
  if (error instanceof StoreError) return error
  const fault = diskFault(error)
  if (fault !== undefined) return fault
  const { errcode, message } = error as { errcode?: number; message: string }
  if (errcode !== undefined && DAMAGED.includes(errcode & 0xff)) {
    return new StoreError('index_damaged', `The index of the objects is damaged (${message}): ${MEND_INDEX}`, {
      cause: error
    })
  }
  return new StoreError('store_failed', `The index of the objects can’t be ${done}: ${message}`, { cause: error })
}

import { FileFault } from './messages.ts'

/** Why DuckDB does not open a file; what it says itself names the path of the copy. */
export function attachFault(error: unknown): FileFault {
  const message = error instanceof Error ? error.message : ''
  if (/encrypt/i.test(message)) return new FileFault('The file is encrypted, and can’t be read')
  if (/version/i.test(message)) {
    return new FileFault('The file was written by a version of DuckDB that is too old or too new')
  }
  return new FileFault('The file is no whole DuckDB database')
}

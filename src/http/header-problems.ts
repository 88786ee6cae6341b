import { Problem } from '../errors.ts'

/** Refuses a header that would change what the request means. */
export function headerNotSupported(header: string, why: string): Problem {
  return new Problem('header_not_supported', { detail: `${nameOf(header)}: ${why}`, members: { header } })
}

/** The name as it is usually written: `Content-MD5`. */
function nameOf(header: string): string {
  return header
    .replace(/(^|-)([a-z])/g, (_, dash, letter) => dash + letter.toUpperCase())
    .replace(/Md5|Http/g, (word) => word.toUpperCase())
}

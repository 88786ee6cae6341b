/** The names of the checks, in the order in which they run. */
export const CHECKS = [
  'resolve',
  'connect',
  'tls',
  'authenticate',
  'clock',
  'list',
  'write',
  'read',
  'range',
  'multipart',
  'conditional-write',
  'presign',
  'delete'
] as const
export type CheckName = (typeof CHECKS)[number]

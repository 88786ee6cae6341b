import type { PutObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3'
import type { WireRequest } from './http-handler.ts'

/** TLS sees to it that the content arrives as it was sent. */
export const UNSIGNED = 'UNSIGNED-PAYLOAD'

/** Spares the client from hashing a content whose digest is known, or need not be. */
export function signedAs<T extends PutObjectCommand | UploadPartCommand>(hash: string, command: T): T {
  const stack: Pick<PutObjectCommand['middlewareStack'], 'add'> = (command as PutObjectCommand).middlewareStack
  stack.add(
    (next) => (args) => {
      const { headers } = args.request as WireRequest
      headers['x-amz-content-sha256'] = hash
      return next(args)
    },
    { step: 'build', name: 'signedAs' }
  )
  return command
}

import type { PutObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3'
import type { WireRequest } from './http-handler.ts'

/** TLS makes sure that the content arrives unchanged. */
export const UNSIGNED = 'UNSIGNED-PAYLOAD'

/** Saves the client from hashing content whose digest is known, or is not needed. */
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

import { createVerify, type KeyObject } from 'node:crypto'
import { jwtVerify } from 'jose'
import { rsaKeys } from '../../../../test/support/rsa-keys.ts'
import type { Asked } from './http-server.ts'

const { privateKey, publicKey } = rsaKeys('known')

function keyOf(key: KeyObject): string {
  const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString()
  return JSON.stringify({ client_email: 'reader@plant.example', private_key: pem, project_id: 'plant-1' })
}

/** The key file of a service account that the server of a test knows, and of one that it does not. */
export const KEY = keyOf(privateKey)
export const STRANGER = keyOf(rsaKeys('stranger').privateKey)

/** What a call for a token brings along. */
const assertionIn = ({ text }: Pick<Asked, 'text'>) => new URLSearchParams(text).get('assertion') ?? ''

/** Whether a call for a token is signed with the key that the server knows. */
export function isSigned(asked: Pick<Asked, 'text'>): boolean {
  const [head = '', claims = '', signature = ''] = assertionIn(asked).split('.')
  return createVerify('RSA-SHA256').update(`${head}.${claims}`).verify(publicKey, signature, 'base64url')
}

/** Who asks for a token and what for, as another library reads it. */
export async function claimsOf(asked: Pick<Asked, 'text'>): Promise<unknown[]> {
  const wanted = { audience: 'https://oauth2.googleapis.com/token', algorithms: ['RS256'] }
  const { payload } = await jwtVerify(assertionIn(asked), publicKey, wanted)
  return [payload.iss, payload.scope]
}

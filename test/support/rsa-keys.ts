import { generateKeyPairSync } from 'node:crypto'

const made = new Map<'known' | 'stranger', ReturnType<typeof make>>()

const make = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

/** RSA keys of somebody whom a server of a test knows, or of somebody else. Each takes a quarter of a second: they are made once. */
export function rsaKeys(whose: 'known' | 'stranger') {
  const keys = made.get(whose) ?? make()
  made.set(whose, keys)
  return keys
}

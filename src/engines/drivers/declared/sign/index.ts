import type { Authentication } from '../entry.ts'
import type { Signer } from '../outgoing.ts'
import type { Scope } from '../template/template.ts'
import { azureSigner } from './azure-shared-key.ts'
import { basicSigner } from './basic.ts'
import { bearerSigner } from './bearer.ts'
import { chosen } from './choice.ts'
import { fixedSigner } from './fixed.ts'
import { hmacSigner } from './hmac.ts'
import { jwtSigner } from './jwt.ts'
import { keySigner } from './key.ts'
import type { SignNeeds } from './needs.ts'
import { oauth1Signer } from './oauth1.ts'
import { oauth2Signer } from './oauth2.ts'
import { sessionSigner } from './session.ts'
import { sigv4Signer } from './sigv4.ts'

export type { SignNeeds } from './needs.ts'
export { secretPlaces } from './places.ts'

/** Signs requests as an entry says, with the values of a configuration. What is missing is told when one is signed. */
export function signerOf(authentication: Authentication, scope: Scope, needs: SignNeeds): Signer {
  const told = chosen(authentication, scope)
  switch (told.kind) {
    case 'none':
      return fixedSigner((request) => request)
    case 'key':
      return keySigner(told, scope)
    case 'bearer':
      return bearerSigner(told, scope)
    case 'basic':
      return basicSigner(told, scope)
    case 'oauth2':
      return oauth2Signer(told, scope, needs)
    case 'session':
      return sessionSigner(told, scope, needs)
    case 'jwt':
      return jwtSigner(told, scope, needs)
    case 'sigv4':
      return sigv4Signer(told, scope, needs)
    case 'oauth1':
      return oauth1Signer(told, scope, needs)
    case 'azure-shared-key':
      return azureSigner(told, scope, needs)
    case 'hmac':
      return hmacSigner(told, scope, needs)
  }
}

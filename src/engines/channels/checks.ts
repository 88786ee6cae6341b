import type { ConfigFault } from './channel-type.ts'

/** What is wrong with an address that is to be called. */
export function urlFaults(url: string): ConfigFault[] {
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    return [{ pointer: '/url', message: 'must be an address that begins with https:// or http://' }]
  }
  if (parsed.username === '' && parsed.password === '') return []
  return [{ pointer: '/url', message: 'must be without user and password' }]
}

/** Of texts that go into headers: anything else would end the header, or the request. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

export function headerFaults(pointer: string, value: string): ConfigFault[] {
  return HEADER_VALUE.test(value) ? [] : [{ pointer, message: 'must be without line breaks and control characters' }]
}

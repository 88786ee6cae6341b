import { OutboundError } from '../../outbound/errors.ts'
import type { Outbound } from '../../outbound/index.ts'
import { originText } from '../../places/index.ts'
import { SourceError } from '../errors.ts'
import type { Driver, SourceConfig } from '../index.ts'
import { scopeOf, settingsSchema } from './catalogue/settings.ts'
import type { Entry } from './entry.ts'
import { secretPlaces } from './sign/index.ts'
import { DeclaredSource } from './system.ts'

/** The setting that says where the service is in place of where its entry says. */
const OVERRIDE = 'base_url'
/** An address that may be called only where private networks may. */
const PRIVATE_ADDRESS = '10.255.255.254'

/** Runs a source that is told in a file. */
export function declaredDriver(entry: Entry): Driver {
  return {
    schemaFor() {
      const schema = settingsSchema(entry)
      if (hasOwnOverride(entry)) return schema
      return {
        ...schema,
        properties: {
          ...schema.properties,
          [OVERRIDE]: {
            type: 'string',
            title: 'Other address',
            description:
              'Where the service is in place of its public address; only where calls to private networks are allowed',
            'x-group': 'place',
            examples: ['http://localhost:8080'],
            maxLength: 2000
          }
        }
      }
    },

    placesOf(config) {
      const places = secretPlaces(entry, config)
      const override = overrideOf(entry, config)
      if (override === undefined) return places
      const own = [originText(override)]
      return Object.fromEntries(Object.entries(places).map(([name, place]) => [name, { ...place, [OVERRIDE]: own }]))
    },

    async open(config, _source, needs) {
      const override = overrideOf(entry, config)
      const url = override === undefined ? undefined : await allowedOverride(override, needs.outbound)
      return new DeclaredSource(entry, scopeOf(entry, config), url, needs)
    }
  }
}

/** Some entries have a setting of that name, which is where the service is anyway. */
const hasOwnOverride = ({ settings }: Entry) => Object.hasOwn(settings, OVERRIDE)

function overrideOf(entry: Entry, config: SourceConfig): string | undefined {
  const value = config[OVERRIDE]
  return hasOwnOverride(entry) || typeof value !== 'string' || value === '' ? undefined : value
}

async function allowedOverride(text: string, outbound: Outbound): Promise<URL> {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new SourceError('bad_request', 'It must be an address that begins with https:// or http://', `/${OVERRIDE}`)
  }
  try {
    await outbound.resolve(PRIVATE_ADDRESS, 80)
    return url
  } catch (error) {
    if (!(error instanceof OutboundError && error.code === 'refused_by_policy')) throw error
    const message = 'Another address can be given only where calls to private networks are allowed; leave it out'
    throw new SourceError('refused_by_policy', message, `/${OVERRIDE}`)
  }
}

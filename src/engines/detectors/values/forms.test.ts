import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Detector, Found } from '../detector.ts'
import { FORM, MATCH, NO } from '../detector.ts'
import { coordinates } from './coordinates.ts'
import { email } from './email.ts'
import { iban } from './iban.ts'
import { ipv4, ipv6, mac } from './network.ts'
import { phone } from './phone.ts'
import { hashes, texts, tokens } from './secret.ts'

const hold = (detector: Detector, cases: Partial<Record<Found, readonly string[]>>) => {
  for (const [found, values] of Object.entries(cases)) {
    for (const value of values) assert.equal(detector.look(value), Number(found), value)
  }
}

describe('values in the ways in which people and programs write them', () => {
  it('are addresses with ports, masks and others behind them', () => {
    hold(ipv4, {
      [MATCH]: [
        '1.2.3.4/255.255.255.0',
        '1.2.3.4:80',
        '1.2.3.4, 5.6.7.8',
        '1.2.3.4,5.6.7.8, 9.9.9.9',
        '1.2.3.4 - 1.2.3.9'
      ],
      [NO]: ['1.2.3.4:99999', '1.2.3.4:', '1.2.3.4:8o', '1.2.3.4 hello', '1.2.3.4-beta', '1.2.3.4.5', '1.2.3.4,']
    })
    hold(ipv6, {
      [MATCH]: ['[2001:db8::1]:443', '[::1]', '[fe80::1%eth0]:22'],
      [NO]: ['[[::1]]', '[::1', '[::1]:x', '[a]']
    })
    hold(mac, {
      [MATCH]: ['0011-22aa-bbcc', '0011:22aa:bbcc', '001122-aabbcc'],
      [FORM]: ['0011-2233-4455', '00 11 22 aa bb cc'],
      [NO]: ['0011-22aa-bbcg']
    })
  })

  it('are positions with commas, brackets, heights, degrees and quarters of the sky', () => {
    hold(coordinates, {
      [MATCH]: [
        ...[`52°31'12.0"N`, `52° 31' 12" N, 13° 24' 18" E`, '52.5200° N, 13.4050° E', '52.5200N 13.4050E', 'N52.5200'],
        ...['52,5200; 13,4050', '(52.5200, 13.4050)', '[113.4050, 52.5200]', '52.520000,13.405000,34'],
        ...['SRID=4326;POINT(13.4050 52.5200)', 'geo:52.5200,13.4050']
      ],
      [FORM]: ['52,5200', '52°31′12″'],
      [NO]: [
        '12,345',
        '5 W',
        '21.5 °C',
        '100.000 km',
        '45°',
        '(152.5200, 113.4050)',
        'Sales 5',
        'SRID=4326;x',
        'geo:1',
        '181,0000'
      ]
    })
  })

  it('are secrets of HTTP, of connections and of services', () => {
    hold(tokens, {
      [MATCH]: [
        ...['Basic dToyYjE0YWNjMzJhOTE=', 'Bearer abcDEF123456', 'postgres://u:secret@db/x', 'https://u:p4ss@x.y'],
        ...['Server=a;User Id=b;Password=xyzw1;', `123456789:AA${'x'.repeat(33)}`, `hvs.${'a'.repeat(24)}`],
        ...['-----BEGIN PGP PRIVATE KEY BLOCK-----', 'sk-proj-abcdefghijk1234567890']
      ],
      [NO]: [
        ...['Basic Subscription', 'Bearer Bonds Limited', 'https://example.com/a@b', 'http://host:80/x@y'],
        ...['sk-some-long-product-code-name', 'Server=a;User Id=b', 'Token Ring Network']
      ]
    })
    hold(hashes, {
      [MATCH]: [
        `md5${'a'.repeat(32)}`,
        `*${'A'.repeat(40)}`,
        `{bcrypt}$2a$10$${'a'.repeat(53)}`,
        `$apr1$${'a'.repeat(30)}`
      ],
      [NO]: [`md5${'x'.repeat(32)}`, `*${'A'.repeat(39)}`, '* a remark that goes on']
    })
    hold(texts, {
      [FORM]: ['P@ssw0rd!', 'hunter2', 'abcDEF'],
      [NO]: ['passed', 'PASSED', 'client_credentials', 'Abcdef', 'a.b@c.de', 'https://x.y/z1']
    })
  })

  it('are numbers with what stands before and behind them', () => {
    hold(phone, {
      [MATCH]: ['+1 212-555-0100 x123', 'tel:+49-731-123456', '(+49) 30 1234567'],
      [FORM]: ['Tel. 0731 123456', '030 1234567 ext. 12', '00 33 1 23 45 67 89'],
      [NO]: ['tel', 'tel:tel:+49731123456', 'telephone', '+12345678,90', '2026-01-31T10:00']
    })
    hold(email, {
      [MATCH]: ['mailto:a@b.co', 'a@b.co; c@d.co', 'a@b.co,c@d.co'],
      [NO]: ['a@b.co, hello', 'mailto:', 'x; a@b.co', 'mailto:mailto:x']
    })
    hold(iban, {
      [MATCH]: ['IBAN: GB82 WEST 1234 5698 7654 32', 'IBAN GB82WEST12345698765432'],
      [NO]: ['IBAN IBAN GB82WEST1234569876']
    })
  })
})

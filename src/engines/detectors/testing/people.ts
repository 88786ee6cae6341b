import { between, pick, type Random } from '../../seeded-random.ts'
import { some } from './check-digits.ts'

/** What is known about made-up people, in the ways in which several countries write it. */

const GIVEN = (
  'Emma Liam Noor Zeynep Sofía João Łukasz Małgorzata Jürgen Renée Chloé François Björn Åsa Søren Kaisa Väinö Giulia Matteo Inés Andrés Dmitri Olga Yuki ' +
  'Hiroshi Mei Wei Priya Rahul Fatima Mohammed Ibrahim Aisha Anna Peter Maria Thomas Julia Michael Sarah David Laura Jan Eva Paul Marie Lars Ingrid Erik ' +
  'Katarzyna Piotr Agnieszka Hans Klaus Ursula Monika Petra Stefan Jean-Pierre Anne-Marie Luca Francesca Alessandro Carmen José Carlos Ana Paulo Beatriz ' +
  'Charlotte Oliver George Amelia Jack Isla Harry Mia Noah Jennifer Robert Linda James Patricia Elizabeth William Jessica Kevin Brian Zdeněk Jiří Bożena ' +
  'Siobhan Niamh Xavier Thierry Nathalie Ravi Sanjay Deepak Chinedu Oluwaseun Kwame Ngozi Tariq Leila Omar Svetlana Igor Natasha Mika Pekka Riitta'
).split(' ')
const FAMILY = (
  'Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Hoffmann Nowak Kowalski Wiśniewski Wójcik Rossi Russo Ferrari Esposito Bianchi García Martínez López ' +
  'Fernández González Silva Santos Oliveira Pereira Dubois Moreau Laurent Lefèvre Leroy Smith Jones Taylor Brown Williams Wilson Johnson Davis Miller Anderson ' +
  'Andersson Johansson Karlsson Nilsson Hansen Larsen Jensen Nielsen Korhonen Virtanen Mäkinen Nieminen Jansen Bakker Visser Novák Svoboda Yılmaz Kaya Demir ' +
  "O'Brien McCarthy Murphy Kelly Singh Kumar Sharma Patel Tanaka Suzuki Sato Wang Zhang Chen Okafor Mensah Haddad Khan Ivanov Petrov Smirnov Nguyen Park Kim"
).split(' ')
const CITIES =
  'Berlin München Paris Lyon Roma Milano Madrid Sevilla Lisboa Porto Warszawa Kraków Stockholm Helsinki København Oslo London Leeds Austin Denver Toronto'.split(
    ' '
  )

export const given = (random: Random) => pick(random, GIVEN)
export const family = (random: Random) => pick(random, FAMILY)
export const fullName = (random: Random) => `${given(random)} ${family(random)}`
export const familyFirst = (random: Random) => `${family(random)}, ${given(random)}`
export const withTitle = (random: Random) => `${pick(random, ['Dr. ', 'Mr. ', 'Frau ', '', '', ''])}${fullName(random)}`
export const withMiddle = (random: Random) => `${given(random)} ${some(random, 1, 'ABCDEFGHJKLM')}. ${family(random)}`
export const city = (random: Random) => pick(random, CITIES)

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase()

export function email(random: Random): string {
  const first = plain(given(random))
  const last = plain(family(random))
  const local = pick(random, [
    `${first}.${last}`,
    `${first}${between(random, 1, 99)}`,
    `${first[0]}${last}`,
    `${last}_${first}`,
    `${first}+news`
  ])
  const domain = pick(random, [
    'example.com',
    'mail.example.org',
    'firma.de',
    'gmail.com',
    'uni-x.ac.uk',
    'poczta.pl',
    'orange.fr'
  ])
  return `${local}@${domain}`
}

export const phoneAbroad = (random: Random) =>
  pick(random, [
    `+49 ${some(random, 3)} ${some(random, 7)}`,
    `+1 (${between(random, 2, 9)}${some(random, 2)}) ${between(random, 2, 9)}${some(random, 2)}-${some(random, 4)}`,
    `+44 20 7${some(random, 3)} ${some(random, 4)}`,
    `+33 6 ${some(random, 2)} ${some(random, 2)} ${some(random, 2)} ${some(random, 2)}`,
    `+358${some(random, 9)}`
  ])
export const phoneAmerican = (random: Random) =>
  `${between(random, 2, 9)}${some(random, 2)}-${between(random, 2, 9)}${some(random, 2)}-${some(random, 4)}`
export const phoneAtHome = (random: Random) =>
  pick(random, [
    `0${some(random, 3)} ${some(random, 6)}`,
    `0${some(random, 2)}/${some(random, 7)}`,
    `06 ${some(random, 2)} ${some(random, 2)} ${some(random, 2)} ${some(random, 2)}`
  ])
export const phoneDigits = (random: Random) => `0${some(random, 9)}`

export function addressGerman(random: Random): string {
  const street = pick(random, [
    'Hauptstraße',
    'Bahnhofstr.',
    'Lindenweg',
    'Goetheplatz',
    'Am Ring',
    'Berliner Allee',
    'Kirchgasse'
  ])
  return `${street} ${between(random, 1, 180)}${pick(random, ['', '', 'a', 'b'])}, ${between(random, 10, 99)}${some(random, 3)} ${city(random)}`
}
export function addressEnglish(random: Random): string {
  const name = pick(random, ['Main', 'Oak', 'High', 'Church', 'Elm', 'Park', 'Victoria', 'Maple'])
  const kind = pick(random, ['Street', 'St', 'Road', 'Rd', 'Avenue', 'Ave', 'Lane', 'Drive', 'Blvd', 'Court'])
  return `${between(random, 1, 9999)} ${name} ${kind}${pick(random, ['', '', `, Apt ${between(random, 1, 99)}`, `, ${city(random)}`])}`
}
export const addressFrench = (random: Random) =>
  `${between(random, 1, 200)} ${pick(random, ['rue', 'avenue', 'boulevard', 'chemin', 'place'])} ${pick(random, ['de la Paix', 'Victor Hugo', 'du Moulin', 'des Lilas'])}`
export const addressSouthern = (random: Random) =>
  `${pick(random, ['Via', 'Calle', 'Rua', 'Piazza', 'Avenida', 'Viale'])} ${pick(random, ['Garibaldi', 'Mayor', 'das Flores', 'Roma', 'de la Luna'])} ${between(random, 1, 250)}`
export const addressNorthern = (random: Random) =>
  `${pick(random, ['Storgatan', 'Kerkstraat', 'Mannerheimintie', 'Vestergade', 'Kungsvägen', 'Prinsengracht', 'ul. Długa'])} ${between(random, 1, 120)}`

export const isoDate = (random: Random) =>
  `${between(random, 1935, 2012)}-${String(between(random, 1, 12)).padStart(2, '0')}-${String(between(random, 1, 28)).padStart(2, '0')}`
export const dottedDate = (random: Random) => isoDate(random).split('-').reverse().join('.')
export const slashedDate = (random: Random) => {
  const [year, month, day] = isoDate(random).split('-')
  return `${month}/${day}/${year}`
}

/** Words that streets end with, or are called by before their number: the last word of a name. */
export const LAST_WORDS = (
  'street st road rd avenue ave lane ln drive dr boulevard blvd way court ct square sq terrace crescent close parkway pkwy highway hwy place pl ' +
  'straße strasse str weg platz gasse allee ring damm ufer straat laan plein kade gracht weg gatan vägen gata väg gränd katu tie polku kuja vej gade gt vei veien gaten ulica'
).split(' ')
/** Ends of names that are written in one word. */
export const ENDINGS =
  'straße strasse str weg platz gasse allee damm ufer straat laan plein kade gracht gatan vägen katu tie vej gade veien gaten'.split(
    ' '
  )
/** Words that come before the name. */
export const FIRST_WORDS = (
  'rue avenue av boulevard bd chemin impasse allée allee place quai cours route via viale piazza corso largo vicolo calle avenida avda plaza paseo carrer ' +
  'rua travessa praça alameda ul ulica aleja al plac os osiedle jalan strada bulevardul'
).split(' ')

/** Words that companies, places and streets have in their names, and persons do not. */
export const NO_PERSON_WORDS = (
  'Inc Ltd LLC GmbH AG SA SAS SARL BV NV AB Oy SpA Srl Corp Co Company Group Holding Holdings Limited Bank Hotel Street Road Avenue Airport Station ' +
  'University School Hospital Store Shop Restaurant Cafe Bar Edition Collection Series Set Kit Pack Pro Max Plus Mini Ultra Classic Chair Table Lamp Shirt Dress ' +
  'Shoes Jacket Cake Coffee Tea Wine Cream Perfume Drill Phone Watch County City Island Bay Beach River Mountain ' +
  'Temperature Temp Pressure Speed Flow Level Power Voltage Current Value Limit Rate Load Torque Motor Pump Valve Sensor Drive Machine Conveyor Robot Line Unit System Service Support Office Center Centre Museum Stadium Arena ' +
  'Bridge Tower Clinic Pharmacy Garage Salad Soup Sauce Pizza Sandwich Burger Juice Beer Whisky Rice Bread Cheese Soap Shampoo Lotion Boots Sneakers Jeans Coat Bag Backpack Sofa Desk Mirror Rug Pillow Blanket Candle Necklace Bracelet ' +
  'Guitar Camera Laptop Keyboard Monitor Printer Speaker Headphones Charger Cable Straße Platz Lampe Stuhl Tisch Werk Schule Klinik Apotheke Praxis Autohaus Verlag Plaza Playa Puerto Aeropuerto Restaurante Tienda Empresa Gare Lycée Hôpital Scuola Ospedale'
).split(' ')
/** Single words of lists: no name, where they stand alone. */
export const LIST_WORDS = (
  'Yes No True False None Null Unknown Other Others Active Inactive Open Closed Pending Done New Old Male Female Single Married Divorced Widowed Home Work Business Private Personal Corporate Company Premium Basic Standard Gold Silver ' +
  'Bronze Platinum High Low Medium Normal Enabled Disabled On Off Running Stopped Idle Error Warning Info Critical Internal External Admin System Root Guest User Test Demo Sample Default General Management Sales Marketing ' +
  'Finance Engineering Production Logistics Purchasing Quality Maintenance Email Phone Mobile Fax Retail Wholesale Online Small Large Left Right Early Late Night Morning Monday Tuesday Wednesday Thursday Friday Saturday Sunday ' +
  'January February March April June July August September October November December Germany France Italy Spain Poland Sweden Finland ' +
  'Ja Nein Aktiv Inaktiv Offen Männlich Weiblich Unbekannt Privat Oui Non Actif Homme Femme Inconnu Activo Hombre Mujer Attivo Uomo Donna Sim Não Ativo Tak Nie Nee Actief Evet Hayır Ano Igen Nem'
).split(' ')
/** What stands before a family name, or between two. */
export const PARTICLE_WORDS =
  'de da do dos das del della di du des la le van von der den ter ten zu zum af av al bin ibn el y e'.split(' ')
export const TITLE_WORDS =
  'Mr Mrs Ms Miss Mx Sir Dr Prof Rev Hon Herr Frau Hr Fr Mme Mlle Madame Monsieur Maître Sr Sra Srta Sres Doña Dott Ing Avv Sig Sigra Arq Lic Dra Profa Dhr Mevr Mw Pan Pani Mgr Bc JUDr MUDr RNDr PhDr Mag Dipl Shri Smt Bayan Sayın Hra Rva'.split(
    ' '
  )
/** What stands behind titles, before the name. */
export const SMALL_TITLE_WORDS = 'med dent vet jur iur rer nat phil habil ing oec pol h c'.split(' ')
/** What families end with in the languages of the north and the east, without accents; shorter words may end so by chance. */
export const FAMILY_ENDINGS =
  'ski ska cki cka skyi skyy sky wicz ova eva enko chuk oglu sson ssen sen nen escu opoulos opoulou idis akis shvili dze vic ian yan'.split(
    ' '
  )

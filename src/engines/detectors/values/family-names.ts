/** Family names that many people have and that are no words, in Latin letters. They count only where a first name that is known stands behind them. */
const NAMES = `
Aaltonen Abiodun Acar Acosta Adamczyk Adams Adeyemi Aerts Agarwal Aggarwal Aguilar Aguirre Ahmed Ahn Ahonen Aigner Aksoy Aktaş Albrecht Alekseev Alexander Alexiou Ali
Allen Almeida Alonso Alvarez Alves Amato Andersen Anderson Andersson Andrade Andreassen Andreev Andrews André Angelopoulos Anttila Antunes Aoki Araújo Arias Armstrong
Arnold Arslan Arvidsson Aslan Ateş Aubert Auer Avcı Axelsson Aydın Azevedo Aziz Babić Bae Baek Bakken Bakker Balogh Balogun Balázs Baláž Banaś Banerjee Baran Barbier
Barbieri Barbosa Barnes Barone Barros Bartoš Basile Batista Battaglia Bauer Baumann Baumgartner Bech Beck Becker Bednarek Beek Begum Bellini Benedetti Beneš Bengtsson
Bennett Benítez Berg Berger Berglund Bergman Bergmann Bergqvist Bergström Bernard Bernardi Bertelsen Bertrand Bhat Bhatia Bianchi Bianco Binder Bjerregaard Björk
Blanchard Blanco Blažek Blom Bláha Boateng Boer Bondar Bondarenko Bonnet Borges Bosch Bose Bourgeois Boyer Boyko Bozkurt Božić Bradley Brandt Braun Bravo Brennan Brooks
Brouwer Bruijn Brunet Brunner Bruno Bryant Bui Bulut Bureš Burke Butler Byrne Bíró Böhm Bühler Bąk Błaszczyk Caballero Cabrera Cai Calvo Campbell Campos Cano Cao Caputo
Carbone Cardoso Cardozo Carmona Caron Carrasco Carrizo Carroll Carter Caruso Carvalho Castillo Castro Cattaneo Cavalcanti Chatterjee Chaudhary Chaudhry Chauhan Chavez
Chen Cheng Chevalier Cho Choi Chopra Christensen Christiansen Cieśla Cieślak Ciobanu Claes Clarke Clement Coelho Colas Coleman Colin Collins Colombo Connor Constantin
Conte Conti Cooper Coppens Coppola Coronel Correia Cortés Costantini Cox Crawford Crespo Cruz Cunha Cunningham Czarnecki Cáceres Dahl Daly Dang Danielsson Das David
Davies Davis Dekker Demir Deng Denis Desai Deshmukh Diallo Dias Dietrich Diez Dijk Dijkstra Dimitriou Dimitrov Diop Dixon Dlamini Doherty Doležal Domínguez Donati Dostál
Doyle Doğan Duarte Dubois Duda Dudek Dufour Dumas Dumitru Dumont Duncan Dunn Dupont Durand Durán Dutta Duval Dušek Dvořák Díaz Ebner Eder Edwards Egger Egorov Eklund
Elliott Ellis Endo Engström Erdoğan Eriksen Eriksson Esposito Esteban Evans Eze Fabbri Fabre Fang Farina Farkas Faure Fazekas Fedorov Fehér Fekete Feng Ferguson Fernandes
Fernández Ferrara Ferrari Ferraro Ferreira Ferrer Ferretti Ferreyra Ferri Fiala Figueiredo Fischer Fisher Flores Fodor Fonseca Fontaine Fontana Forsberg Foster Fournier
Frank Franke Fransson Frederiksen Fredriksson Freeman Freitas Friedrich Fuchs Fuentes Fujii Fujita Fujiwara Fukuda Gaillard Gajda Gallagher Gallardo Gallego Galli Gallo
Garcia García Gardner Garnier Garrido Gatti Gauthier Gautier Gentile Georgiev Georgiou Gerard Gerber Gheorghe Ghosh Gibson Giménez Giordano Girard Giraud Giuliani Godoy
Gomes Gonzales González Gonçalves Goossens Gordon Goto Gowda Graaf Graham Grassi Grasso Greco Greene Griffin Groot Gruber Guerin Guerrero Guimarães Gulyás Gunnarsson Guo
Gupta Gustafsson Gutierrez Gutiérrez Gál Gómez Güler Güneş Günther Głowacki Haan Haas Haddad Hagen Hahn Haider Hakala Halvorsen Hamilton Hansen Hansson Harada Harris
Harrison Hartmann Hasegawa Hashimoto Hassan Haugen Havlíček Hayashi Hayes Hegde Heikkilä Heikkinen Heinonen Heinrich Henderson Hendriks Henriksen Henriksson Henriques
Henry Hermans Hernández Herrera Herrero Herrmann Heuvel Hicks Hidalgo Hiltunen Hirvonen Hoang Hoekstra Hofer Hoffmann Hofmann Holm Holmberg Holmes Holub Hong Horvat
Horváth Horák Howard Hristov Hrubý Hruška Huang Huber Huemer Hughes Huisman Hussain Hussein Hwang Hájek Hämäläinen Håkansson Ibrahim Ibáñez Iglesias Ikeda Ilić Inoue
Ioannou Ionescu Isaksson Ishida Ishii Ishikawa Ito Ivanenko Ivanov Iversen Iyer Işık Jackson Jacobs Jacobsen Jain James Janda Jang Jansen Janssen Janssens Jansson Jelínek
Jenkins Jensen Jeong Jeppesen Jia Jiang Jimenez Jiménez Johannessen Johansen Johansson Johnsen Johnson Jokinen Joly Jones Jong Jonge Jonsson Joo Joshi Jovanović Juhász
Jung Jurić Juárez Jäger Järvinen Jørgensen Kaczmarek Kadlec Kallio Kamau Kaneko Kang Kania Kaplan Kapoor Karagiannis Karjalainen Karlsen Karlsson Kato Katona Kaya
Kaźmierczak Keller Kelley Kennedy Keskin Khan Khanna Kim Kimura Kinnunen Király Kiss Kjær Knežević Knudsen Kobayashi Koch Kocsis Koivisto Koller Kolář Kondo Konečný
Koning Kopeć Korhonen Korkmaz Koskinen Koster Koval Kovalchuk Kovalenko Kovačević Kovačić Kovács Kováč Kovář Kozak Kozioł Kozlov Koç Kołodziej Krajnc Kraus Krause
Kravchenko Krawczyk Krejčí Kristensen Kristiansen Kruk Král Krämer Król Krüger Kubiak Kuhn Kuiper Kuipers Kulkarni Kumar Kurek Kurt Kuznetsov Kučera Kwon Köhler König
Köse Kühn Kılıç Kříž Laakso Laaksonen Lahtinen Laine Laitinen Lakatos Lambert Larsen Larsson Laurent Lauridsen Lawrence Lawson Lazar Lebedev Lechner Leclerc Ledesma Lee
Leeuwen Lefebvre Lefèvre Legrand Lehmann Lehtinen Lehto Lehtonen Leinonen Leite Leitner Lemaire Lemmens Lemoine Lenaerts Leppänen Leroux Leroy Lewis León Liang Liao Lim
Lima Lin Lind Lindberg Lindgren Lindqvist Lindström Liu Liška Lombardi Lombardo Longo Lopes Lopez Lorenz Lorenzo Lozano Lucas Ludwig Lukács Lund Lundberg Lundgren Lundin
Lundqvist Luo Lynch László López Löfgren Maas Mach Machado Madsen Maeda Maes Magyar Maier Makarov Makris Malhotra Malik Malý Mancini Manninen Mansour Mantovani Marchand
Marchetti Marciniak Mareš Mariani Marin Marini Marino Marić Marković Marques Marshall Martens Martin Martinelli Martini Martino Martins Martínez Masson Matei Mathieu
Matić Matos Matoušek Matsuda Matsumoto Matthews Mattila Mattsson Mayer Mazur Mazurek Mazza Mašek Mccarthy Mcdonald Mcintyre Mclaughlin Medina Mehta Meier Melnyk Melo
Mendes Mendoza Menon Mensah Mercier Mertens Messina Meunier Meyer Michalak Michel Michiels Miettinen Mikhailov Milani Miller Milošević Mishra Mitchell Miura Moen Mohamed
Molina Molnár Montanari Monteiro Montero Monti Moore Morales Moravec Moreau Moreira Morel Morelli Moreno Moretti Morgan Mori Morin Morita Moroz Morozov Morris Mortensen
Moser Moura Moya Mroz Mróz Mueller Mukherjee Mulder Muller Munteanu Murakami Murphy Murray Musil Muñoz Mwangi Myers Márquez Mäkelä Mäkinen Méndez Mészáros Möller Møller
Müller Nagy Naidu Nair Nakagawa Nakajima Nakamura Nakano Nakayama Nascimento Navarro Navrátil Ndiaye Negri Nelson Neri Neumann Neves Nguyen Nichols Nicolas Nielsen Niemi
Nieminen Nieto Nikitin Nikolaev Nikolaidis Nikolić Nikolov Nilsen Nilsson Nishimura Nkosi Noel Nolan Novak Novikov Novotný Novák Nowak Nunes Nyberg Nyström Németh
Nørgaard Núñez Němec Obi Ogawa Oikonomou Ojala Ojeda Okada Okafor Okamoto Okeke Oliveira Oliynyk Olsen Olson Olsson Oláh Ono Orlov Orsós Ortiz Ota Otieno Otto Overgaard
Owens Owusu Pagano Palmieri Palumbo Pandey Papadopoulos Papadopoulou Papageorgiou Papp Parisi Parker Parra Pascual Pastor Patel Patil Patterson Pavlov Pavlović Pavlík
Pawlak Payne Pedersen Peeters Pellegrini Pellegrino Peng Peralta Pereira Pereyra Perez Perrin Perry Persson Peters Petersen Petrenko Petrov Petrović Pettersen Pettersson
Peña Pfeiffer Pham Phan Philippe Phillips Picard Pierce Pietrzak Pillai Pinto Pintér Piras Pitkänen Pohl Pokorný Polak Polishchuk Ponce Popa Popescu Popov Pospíšil
Potočnik Poulsen Powell Prieto Prins Procházka Ptak Pérez Quinn Quiroga Radu Rahman Ramos Ramírez Rantala Rantanen Rao Rasmussen Reddy Reed Reis Reiter Renard Renaud
Reyes Reynolds Ribeiro Ricci Richard Richardson Richter Rinaldi Riva Rizzi Rizzo Robert Roberts Robertson Robin Robinson Rocha Roche Rodrigues Rodríguez Rogala Roger
Rogers Rojas Rolland Romano Romero Román Ross Rossetti Rossi Roth Rousseau Roussel Roux Rudenko Ruggiero Ruiz Russell Russo Rusu Ryan Ryu Rácz Räsänen Ríos Růžička
Saarinen Saito Sakamoto Saleh Salminen Salo Salonen Sampaio Samuelsson Sanchez Sandberg Sanders Sanna Santana Santiago Santoro Santos Sartori Sasaki Sato Sauer Savchenko
Savolainen Saxena Schmid Schmidt Schmitt Schneider Scholz Schouten Schreiber Schröder Schubert Schulz Schulze Schumacher Schuster Schwarz Schäfer Scott Sedláček Seidel
Semenov Seo Serban Serra Serrano Shah Sharma Shaw Shetty Shevchenko Shevchuk Shimizu Shin Sikora Silva Silvestri Simmons Simon Simpson Sims Simões Singh Sinha Sipos
Sjöberg Smet Smirnov Smit Smith Smits Snyder Soares Sobczak Sokolov Solberg Soler Sorrentino Sosa Soto Soukup Sousa Souza Srivastava Stanković Staněk Steiner Stepanov
Stephens Stevens Stewart Stoica Stojanović Stępień Sullivan Suter Suzuki Suárez Svensson Svoboda Szabó Szalai Szczepaniak Szewczyk Szilágyi Szulc Szűcs Sáez Sánchez
Söderberg Sørensen Sýkora Takahashi Takeuchi Takács Tamura Tanaka Tavares Taylor Teixeira Tekin Thakur Thomas Thompson Thomsen Tian Tichý Tiwari Tkachenko Todorov
Toivonen Tomczak Tomić Torres Tran Traore Tucker Tuominen Turan Turner Turunen Tóth Török Ueda Urban Valenta Valentini Vaněk Varga Vargas Vasiliev Vasquez Veen Veenstra
Vega Velasco Vera Verhoeven Verma Vermeulen Veselý Vicente Vidal Vieira Villalba Vincent Virtanen Visser Vitale Vitali Vlachos Vliet Vlček Vogel Vogt Voigt Volkov Vos
Vries Vuković Vávra Vázquez Väisänen Wada Wagner Walczak Walker Wallace Wallin Wallner Walsh Walter Wang Ward Watanabe Watkins Watson Webb Weber Wei Weiß Werner Widmer
Wikström Wilk Willems Williams Willis Wilson Wimmer Winkler Wolf Wouters Woźniak Wright Wróbel Wu Wyss Wójcik Xia Xiao Xie Xiong Xu Xue Yadav Yalçın Yamada Yamaguchi
Yamamoto Yamashita Yamazaki Yan Yang Yao Yavuz Ye Yoon Yoshida Yuan Yüksel Yıldırım Yıldız Yılmaz Zając Zakharov Zawada Zeman Zeng Zhang Zhao Zheng Zhong Zhou Zhu Ziegler
Zimmermann Zięba Zou Zupančič Álvarez Çakır Çelik Çetin Özcan Özdemir Özer Özkan Öztürk Østergaard Ünal Čermák Černý Đorđević Říha Şahin Şen Şimşek Ševčík Šimek Štěpánek
Šťastný
`

export const FAMILY_NAMES: readonly string[] = NAMES.trim().split(/\s+/)

/** First names that many people have, in the languages of Europe and some others in Latin letters, without accents, by the alphabet. */
const NAMES = `
Aafke Aarav Aaron Abdoulaye Abdul Abdullah Abebe Abena Abhishek Abigail Achieng Ada Adaeze Adam Adanna Adebayo Adele Adeola Aditi Aditya Adolfo Adrian Adriana Adunni
Adwoa Afonso Agata Agnes Agnieszka Agus Agustin Ahmad Ahmed Ahmet Aidan Aiko Aine Aino Aisha Aissatou Ajay Akash Akihiko Akiko Akira Akosua Akua Alain Alan Albert Alberta
Alberto Alejandra Alejandrina Alejandro Aleks Aleksandar Aleksander Aleksandr Aleksandra Aleksei Aleksey Alena Alessandra Alessandro Alessia Alessio Alex Alexander
Alexandra Alexandre Alexandru Alexei Alexey Alexis Alfonso Alfred Alfredo Ali Alice Alicia Alina Alisa Alison Alistair Alla Allison Alma Alvaro Alzbeta Ama Amadou Amal
Amalia Amalie Amanda Amani Amara Ambra Amelia Amelie Amina Aminata Amir Amira Amit Amos Amy Ana Ananya Anastasia Anastasios Anastasiya Anatoly Andela Anders Andra Andras
Andre Andrea Andreas Andreea Andrei Andrej Andres Andrew Andrey Andria Andrija Andris Andrius Andriy Andrzej Aneta Anette Angel Angela Angelica Angelika Angeliki Angelo
Angus Anika Aniket Aniko Anil Anisha Anita Anja Anjali Anke Ann Anna Annabel Annalisa Annamaria Anne Anneke Anneli Annelie Annemarie Annette Annie Annika Anouk Ansgar
Antal Anthony Antje Antoine Anton Antonella Antonia Antonin Antonio Antonios Antonis Antti Anwar Anzhela Aoife Apostolos Arda Arek Ariana Ariane Arif Arjan Arjun
Arkadiusz Arlene Armando Armin Arnaud Arne Arnold Artem Arthur Artur Arturo Arun Arvid Aryan Asbjorn Asha Ashley Ashok Ashwin Asif Aslan Aslaug Astrid Athanasios Atsuko
Atsushi Attila Audrey August Augustin Augusto Aurelie Axel Ayaka Ayako Ayesha Aylin Ayodele Ayse Aytac Azra Babatunde Balazs Balint Barbara Barnabas Barry Bartek
Bartlomiej Bartolome Bartosz Bas Bashir Bastian Bayo Beata Beate Beatrice Beatriz Belen Ben Benedetta Benedikt Benjamin Benoit Berit Berk Bernadette Bernard Bernardo
Bernd Bert Berta Berthold Bertil Beth Bettina Betty Bhavna Bianca Bilal Birgit Birgitta Birgitte Birte Bjorn Blanka Blazej Bo Bob Bodil Bogdan Bogumila Boguslaw Bojan
Bojana Boris Borislav Borja Boubacar Bozena Bozidar Brad Bradley Bram Brandon Branislav Branka Branko Brenda Brendan Brent Brett Brian Brid Bridget Brigitte Britta
Bronislaw Bronislawa Bruce Brunhilde Bruno Bryan Budi Bukola Burak Busra Caio Caitlin Callum Calvin Cameron Camila Camilla Camille Candice Cansu Carin Carina Carl Carla
Carlo Carlos Carlotta Carmen Carol Carole Carolin Carolina Caroline Carolyn Carsten Carys Catalin Catalina Caterina Cathal Catherine Cathy Catriona Cecile Cecilia Cecilie
Celia Celine Celso Cem Cemile Cengiz Ceren Cesar Chandra Chantal Charles Charlie Charlotte Cheikh Chenxi Chetan Chiamaka Chiara Chidi Chieko Chika Chike Chinedu Chinwe
Chioma Chloe Chris Christa Christel Christelle Christer Christian Christiane Christina Christine Christoph Christophe Christopher Christos Chrystelle Chukwuemeka Cian
Ciara Ciaran Cihan Claire Clara Clarissa Clarisse Claude Claudette Claudia Claudio Claus Clemens Clement Clementine Clive Colette Colin Colm Concetta Conor Constance
Constantin Constanze Consuelo Cordula Corina Corinna Corinne Cornelia Cornelis Cosimo Cosmin Costas Courtney Craig Cristian Cristiano Cristina Cristobal Curtis Cynthia
Cyril Czeslaw Daan Dafydd Dagmar Dagny Daisuke Damian Damien Damilola Damir Dan Dana Danail Dancho Danica Daniel Daniela Daniele Danielle Daniil Danilo Danny Danuta
Daphne Darek Daria Darina Dario Darius Dariusz Darko Darlene Darren Darshan Darya David Davide Davor Dawid Dean Debbie Deborah Debra Declan Deepa Deepak Defne Deirdre
Dejan Delia Delphine Demet Denis Denisa Denise Deniz Dennis Derek Desislava Despina Detlef Devi Dewi Dhruv Diana Diane Diarmuid Didier Diego Dieter Dilek Dimitar Dimitra
Dimitri Dimitrios Dimitris Dina Dinesh Dino Dirk Divya Diya Djibril Dmitri Dmitriy Dmitry Dmytro Dolores Domenico Domingo Dominic Dominik Dominika Dominique Donal Donald
Donata Donatella Donghyun Donna Donovan Dora Doreen Dorin Dorina Doris Dorit Dorota Dorothea Dorothee Dorothy Dorte Douglas Doyun Dragan Dragana Drahomira Duarte Dubravka
Dusan Duygu Dwayne Dylan Dzmitry Ebere Eberhard Ebru Eckhard Eddie Edgar Edit Edita Edith Edmund Edoardo Eduard Eduardo Edvard Edward Edwin Edyta Eero Eeva Efthymia Efua
Egon Eileen Eilis Einar Eirini Eivind Ekaterina Ekin Ela Eleanor Eleftheria Elena Eleni Eleonora Elfriede Eliane Elias Elif Elina Elinor Elio Elisa Elisabeth Elise Eliska
Elizabeth Elizaveta Elke Ella Ellen Ellinor Elliot Elmar Elodie Eloise Elsa Elvira Elzbieta Emanuel Emanuela Emanuele Emeka Emel Emi Emiko Emil Emile Emilia Emiliano
Emilie Emilio Emily Emin Emine Emir Emma Emmanuel Emre Emrys Engin Enikoe Enrica Enrico Enrique Enzo Eoin Ercan Erdem Eren Eric Erica Erich Erik Erika Eriko Erin Erkki
Erlend Ermanno Erna Ernesto Ernst Erol Errol Ersin Erwin Erzsebet Esa Esin Esko Esma Esmeralda Esra Esteban Estelle Ester Esther Eszter Ethan Etienne Eugene Eugenia
Eugenio Eugeniusz Eunji Eva Evan Evangelia Evangelos Evelin Evelina Evelyn Evelyne Evgeni Evgenia Evgeniy Ewa Ewan Ewelina Ezgi Fabian Fabien Fabienne Fabio Fabiola
Fabrice Fabrizio Fahad Faisal Fang Fanta Fares Farid Farida Farouk Faten Fatima Fatma Fatou Fatoumata Fausto Faye Federica Federico Felicia Felicity Felipe Felix Femke
Fenna Ferdinand Ferenc Fergal Ferhat Feride Fernand Fernanda Fernando Fidel Filip Filipa Filippo Filomena Finja Finn Fiona Fionn Flavia Flavio Florence Florian Florin
Florina Folake Folasade Folke Fotios Franca Frances Francesca Francesco Francine Francisco Franciszek Franck Franco Francois Francoise Franek Frank Frantisek Franz
Franziska Fraser Fred Freddy Frederic Frederica Frederick Frederik Frederique Fredrik Freja Frida Frieda Friedrich Fritz Frode Fulvia Fumiko Fumio Funmilayo Gabor Gabriel
Gabriela Gabriele Gabriella Gael Gail Galina Ganesh Gareth Gary Gaston Gaurav Gavin Gaye Geert Geeta Geir Gemma Genevieve Gennadi Gennady Genowefa Geoff Geoffrey Georg
George Georgi Georgia Georgina Georgios Gerald Geraldine Gerard Gerda Gergely Gerhard Gerlinde Germaine Gerrit Gert Gertrud Gertrude Ghada Ghislaine Giacomo Giada
Gianluca Gianmarco Gianni Gijs Gilbert Gilberto Gilles Gillian Gina Ginevra Giorgia Giorgio Giorgos Giovanna Giovanni Girish Gisela Gita Giulia Giuliana Giulio Giuseppe
Gizem Gleb Glenn Gloria Gokhan Goran Gordana Gordon Gottfried Grace Graham Grainne Graziella Grazyna Greet Gregory Greta Gretchen Grethe Grigori Grigory Grzegorz
Guadalupe Gudrun Guido Guilherme Guillaume Guiying Gulsen Gunilla Gunnar Gunter Gunther Guoqiang Gustav Gustavo Guy Gwen Gwendolyn Gyorgy Gyula Haakon Habib Hadiza Haeun
Hakan Hakim Haldor Halil Halina Halvor Hamid Hamish Hamza Hana Hanako Hanan Hande Hanna Hannah Hanne Hannele Hannelore Hannes Hanno Hannu Hans Hao Haoran Haoyu Harald
Haris Harish Harri Harriet Harrison Harry Haruka Haruki Haruo Haruto Harvey Hasan Hassan Hatice Heather Hector Hedda Hedwig Hege Heidemarie Heidi Heidrun Heike Heikki
Heiko Heiner Heinz Helen Helena Helene Helga Helge Heli Hella Helle Helmi Helmut Helmuth Heloisa Hemant Hendrik Henk Hennie Henning Henri Henrik Henry Henryk Herbert
Herman Hermann Hermine Hernan Hiba Hideaki Hideki Hideo Hilary Hilda Hilde Hildegard Hilkka Hina Hippolyte Hiroki Hiroko Hiromi Hironori Hiroshi Hisashi Hisham Hjalmar
Hoa Holger Hong Horst Hortense Howard Hrvoje Hubert Huda Hugh Hugo Hugues Hui Hulya Humberto Huong Huseyin Hussein Huy Hyejin Hyunwoo Iain Ian Ibrahim Ibrahima Ichiro Ida
Idris Ifeoma Iga Ignacio Ignacy Igor Ijeoma Ikenna Ilaria Ildiko Ilhan Ilir Ilja Ilker Ilkka Ilona Ilse Ilya Imane Imran Imre Imtiaz Indira Ineke Ines Inga Inge Ingeborg
Ingemar Inger Ingo Ingrid Ingvild Inka Inna Ioana Ioanna Ioannis Ionut Ipek Irena Irene Ireneusz Irina Iris Irma Irmgard Irmina Isaac Isabel Isabela Isabell Isabella
Isabelle Isamu Ishaan Isidro Isla Ismael Ismail Isolde Istvan Itziar Iva Ivan Ivana Ivar Ivaylo Iveta Ivo Ivona Izabela Jaakko Jaana Jacek Jacinta Jacinto Jack Jackie
Jackson Jacob Jacqueline Jacques Jadranka Jadwiga Jaime Jaimie Jake Jaki Jakob Jakub Jamal James Jamie Jamila Jan Jana Jane Janet Janez Janice Janina Janine Janne Jannik
Janos Janusz Jari Jarmila Jarmo Jarno Jaromir Jaroslav Jaroslava Jaroslaw Jasmin Jasmina Jasmine Jasna Jason Jasper Javad Javier Jawad Jaya Jayesh Jayne Jean Jeanette
Jeanne Jeannette Jeannine Jeff Jeffrey Jelena Jelle Jenna Jennie Jennifer Jenny Jens Jeremiah Jeremy Jeroen Jerome Jerry Jerzy Jessica Jessie Jesus Jiahao Jianguo Jianhua
Jianjun Jianping Jiaqi Jie Jihoon Jill Jim Jindrich Jing Jiri Jitka Jiwoo Jiyoung Joachim Joakim Joan Joana Joanna Joao Joaquim Joaquin Jochen Jodie Joe Joel Joelle Joerg
Johan Johanna Johannah Johannes John Johnathan Johnny Jolana Jolanta Jonah Jonas Jonathan Jonna Joop Joost Jordi Jorg Jorge Joris Jose Josef Josefa Josefin Josefina
Joseph Josephine Joshua Josip Jovan Jovana Joyce Jozef Jozsef Juan Juana Juanita Judit Judith Judy Juergen Juha Jukka Jules Julia Julian Juliana Juliane Julie Julien
Juliette Julio Juliusz Junichi Jurgen Juri Justin Justus Justyna Jutta Jyri Kaan Kabir Kadiatou Kadir Kadri Kagiso Kai Kaisa Kaja Kalevi Kalle Kalpana Kamal Kamala Kamil
Kamila Kaori Karen Kari Karim Karima Karin Karina Karine Karl Karolin Karolina Karoline Karoly Karthik Kasia Kaspar Kasper Katalin Katarina Katarzyna Kate Katerina
Kateryna Katharina Katherine Kathleen Kathrin Kathryn Kathy Kati Katie Katinka Katja Katri Katrin Katsumi Kavita Kazimierz Kazuhiro Kazuki Kazuko Kazuo Kazuya Kees
Kehinde Keiko Keith Kelechi Kelly Kemal Ken Kendra Kenichi Kenji Kenneth Kenta Kerem Kerry Kerstin Kevin Khadija Khaled Khalid Khalil Khanh Kiara Kieran Kim Kinga
Kipchoge Kira Kiran Kirill Kirsi Kirsten Kirsti Kirstin Kirsty Kishore Kiyoshi Kjell Kjersti Klara Klaus Klemens Knut Koen Kofi Koichi Koji Konrad Konstantin Konstantina
Konstantinos Konstanze Kornelia Kostas Kostiantyn Krasimir Kreszentia Kristian Kristin Kristina Krisztian Krisztina Krunoslav Krystian Krystof Krystyna Krzysztof Ksenia
Kseniya Kumiko Kunal Kurt Kwabena Kwaku Kwame Kyle Kyriakos Kyrylo Kyung Ladislav Laetitia Laila Lajos Lakshmi Lalita Lamia Lamine Lana Lanlan Lara Larisa Larissa Larry
Lars Lasse Laszlo Latoya Laura Lauren Laurence Laurens Laurent Lauri Laurin Lavinia Layla Lea Leah Leandro Lech Leena Lei Leif Leila Lena Lene Lenka Lennart Leo Leokadia
Leon Leonard Leonardo Leonid Leonie Leonor Leonora Leopold Lerato Lesley Leslie Leszek Leticia Lev Levente Lewis Lia Liam Libor Libuse Lidia Lidija Liesbeth Lieselotte
Ligia Lihua Liisa Lilia Lilian Liliana Lily Lina Linda Linh Linnea Lino Lionel Lisa Lisbeth Lise Liselotte Liv Livia Liz Liza Ljiljana Ljubica Lloyd Logan Loic Loredana
Lorena Lorenzo Lorna Lorraine Lothar Lotta Lotte Lou Louis Louisa Louise Lourdes Lovisa Lubomir Lubos Luca Lucas Lucia Luciana Luciano Lucie Lucien Lucienne Lucile
Lucille Lucjan Lucy Lucyna Ludivine Ludmila Ludovic Ludwig Ludwika Luigi Luis Luisa Luisella Luiz Lukas Lukasz Luke Lutz Luuk Lydia Lyn Lynn Lynne Lyudmila Maarit Maarten
Mabel Maciej Maddalena Madeleine Madhuri Madison Mads Magali Magda Magdalena Magnus Maha Mahdi Mahesh Mahmoud Maiken Maite Maja Majid Makoto Maksim Maksym Malak Malcolm
Malgorzata Malik Malin Malina Mamadou Mamoru Mamta Mandy Manfred Manish Manoel Manoj Manon Mansi Manuel Manuela Mara Marc Marcel Marcela Marcella Marcelle Marcello
Marcelo Marcia Marcin Marco Marcos Marcus Marek Maren Margaret Margareta Margarethe Margarita Margaux Margherita Margit Margot Margret Margrethe Marguerite Mari Maria
Mariam Mariama Mariana Mariann Marianna Marianne Mariano Maribel Maricel Marie Marieke Mariela Marielle Marija Marijke Marijn Marika Mariko Marilyn Marina Marinus Mario
Marion Marisa Marisol Marit Marita Mariusz Mariya Marjan Marjatta Marjo Marjorie Mark Markku Marko Markus Marlene Marlies Marloes Marlon Marsha Marta Marte Martha Marthe
Martijn Martim Martin Martina Martine Martti Marwan Mary Maryam Marzena Masahiro Masako Masao Masashi Masato Massimo Mateo Mateusz Mathew Mathias Mathieu Mathilde Matias
Matilda Matilde Matjaz Matous Mats Matteo Matthew Matthias Matthijs Matti Matyas Maud Maura Maurice Mauricio Maurizio Mauro Max Maxence Maxime Maximilian Maya Mayank
Mayumi Meena Meera Megan Megumi Mehmet Meike Meiling Melanie Melek Melike Melina Melinda Melis Melissa Merete Merja Mert Merve Meryem Mette Mia Micaela Michael Michaela
Michal Michel Michela Michelangelo Michele Michelle Michiel Michiko Michio Mickael Midori Mieczyslaw Miglena Miguel Miguelina Mihaela Mihai Mihail Miho Miika Mika Mikael
Mike Mikhail Mikko Mikolaj Mila Milagros Milena Milica Milos Miloslav Ming Mingming Minh Minho Minjun Minna Minoru Mireille Mirela Mirella Miriam Mirjam Mirka Mirko
Miroslav Miroslava Miroslaw Misaki Mislav Mitja Mitsuo Miyuki Mladen Modesto Modou Mohamad Mohamed Mohammad Mohammed Mohan Mohit Mohsen Moira Moises Mokgadi Molly Mona
Monica Monika Monique Morag Moritz Morten Moses Moussa Mpho Muhammad Muhammet Mukesh Murat Muriel Mustafa Mykhailo Mykola Myriam Myrto Nabil Nabila Nadege Nadezhda Nadia
Nadim Nadine Nadja Naima Najat Naledi Namrata Nanami Nancy Nandini Naoko Naomi Naresh Narges Nasrin Nasser Natalia Natalie Nataliia Natalija Nataliya Natalya Natasa
Natasha Nathalie Nathan Nathaniel Naveen Navid Nawal Nazli Nebojsa Neema Neha Neil Nelly Nelson Nenad Nerea Nermin Neslihan Nestor Neus Nevena Ngoc Ngozi Nguyet Nia Niall
Niamh Nicholas Nick Nico Nicola Nicolai Nicolas Nicole Nicoleta Nicoletta Niels Nigel Nihal Nihat Nika Nikhil Nikita Nikki Niklas Niko Nikola Nikolai Nikolaj Nikolaos
Nikolas Nikolay Nikolett Nikos Nils Nilufer Nimet Nina Nisha Nitin Njeri Nkechi Nnamdi Noah Noboru Nobuo Noel Noelia Noemi Nokuthula Nomvula Noor Nora Norbert Noreen
Noriko Noriyuki Norman Nour Ntombi Nuno Nuray Nuria Nurten Nurul Obiageli Obinna Octavio Odette Oguz Oisin Oksana Oktay Ola Olaf Olav Olayinka Ole Oleg Oleksandr
Oleksandra Oleksii Oleksiy Olena Olesia Olesya Olga Olha Olimpia Oliver Olivia Olivier Oliwia Olli Olumide Oluwaseun Omar Onur Orhan Oriana Ornella Orsolya Osama Osamu
Oscar Oskar Osman Ossi Otakar Otilia Ottavia Otto Ousmane Outi Owen Oya Ozan Ozge Ozgur Ozlem Paavo Pablo Padraig Paivi Pallavi Palmira Pamela Panagiota Panagiotis Pankaj
Paola Paolo Paraskevi Parisa Parth Parvati Parveen Parvin Pascal Pasi Pasquale Patrice Patricia Patricio Patrick Patrik Patrizia Patrycja Patryk Paul Paula Pauline Paulo
Pavao Pavel Pavla Pavlo Pavlos Pawel Pedro Peggy Pekka Pelin Penelope Penny Per Pernilla Perrine Pertti Petar Peter Petr Petra Petro Petros Petteri Phil Philip Philipp
Philippe Phillip Phoebe Phuong Phyllis Pia Pierre Pieter Pilar Pinar Piotr Pirjo Pirkko Piyush Pooja Poonam Pradeep Prakash Pranav Prasad Prashant Pratik Preeti Prem
Priya Priyanka Przemyslaw Putri Qasim Qiang Quang Quentin Rachael Rachel Rachid Radek Radka Radmila Radomir Radoslav Radoslaw Radovan Rafael Rafal Raffaele Raffaella Rafi
Rahul Raimo Raimund Rainer Raisa Raj Raja Rajat Rajendra Rajesh Rajiv Rakesh Ralf Ralitsa Ralph Ramazan Ramesh Rami Ramiro Ramon Ramona Rana Rania Raphael Raquel Rasha
Rashid Rashmi Rasmus Ratko Raul Ravi Raymond Raymundo Razvan Rebecca Reem Reeta Refilwe Regina Regine Reidar Reijo Reiko Reima Reiner Reinhard Reinhold Reino Reka Rekha
Remi Remigiusz Remy Renan Renata Renate Renato Rene Renu Reto Reza Rezaul Rhiannon Rhonda Rhys Ria Ricarda Ricardo Riccardo Richard Rick Ricky Rieke Riikka Riitta Rikard
Rimma Risto Rita Ritu Ritva Riya Riza Rizky Rob Robbie Robert Roberta Roberto Robin Robson Rocio Rodney Rodrigo Roel Rogelio Roger Rohan Rohini Rohit Roisin Rokhaya
Roland Rolf Romain Roman Romana Romano Romeo Romina Romy Ron Ronald Ronan Ronja Roope Rosa Rosalia Rosalie Rosalind Rosanna Rosario Rose Roseline Roselyne Rosemarie
Rosemary Rosina Rosita Ross Rostislav Roswitha Rotem Roxana Roxane Roy Ruben Rudolf Rui Rupali Rupert Ruslan Russell Ruta Ruth Ruud Ryan Ryo Ryoko Ryota Ryszard Saanvi
Saara Sabina Sabine Sabrina Sachiko Sachin Sadia Sagar Sahar Said Sakari Sakura Salah Salim Salma Salome Salvatore Salwa Sam Samantha Samer Sami Samir Samira Sampsa Samu
Samuel Samuli Sana Sander Sandhya Sandor Sandra Sandrine Sandro Sanjana Sanjay Sanna Sanne Sanni Santiago Santosh Saoirse Sapna Sara Sarah Sari Sarita Sarka Sascha Saskia
Satish Satomi Satoshi Satu Saurabh Savvas Sawsan Sayaka Seamus Sean Sebastian Sebastiano Sebastien Seda Seema Sefa Segun Seiji Sekou Selcuk Selim Selin Selma Senem
Seoyeon Seppo Serap Serena Serge Sergei Sergej Sergey Sergio Serhat Serhii Serhiy Serkan Severin Sevgi Seyda Shahid Shalini Shane Shannon Shanti Shari Sharon Shaun Shauna
Shawn Shigeru Shilpa Shingo Shinichi Shinji Shinya Shirin Shirley Shizuka Shoji Shreya Shruti Shu Shun Shweta Sian Sibel Sibusiso Siddharth Siegfried Sigrid Sigrun Silas
Silje Silke Silvana Silvester Silvia Silvio Simeon Simo Simon Simona Simone Simonetta Sinan Sindre Sinead Siobhan Sipho Sirpa Sissel Siti Siv Sjoerd Sladjana Slavica
Slawomir Slobodan Sneha Snezana Sofia Sofie Solange Soledad Solveig Sonal Sonia Sonja Sophia Sophie Soren Sotirios Sotiris Souad Soufiane Souleymane Sourav Soyeon
Spyridon Spyros Srdjan Sridhar Stacy Stanimir Stanislav Stanislava Stanislaw Stanley Stavros Steen Stefan Stefania Stefanie Stefano Stefanos Steffen Stelios Stella Sten
Stephan Stephane Stephania Stephanie Stephen Steve Steven Stig Stijn Stine Stuart Suad Suat Subin Sudha Sudhir Suha Suleyman Suman Sunghoon Sunil Sunita Supriya Suresh
Susan Susana Susanna Susanne Sushma Susumu Suzana Suzanne Svein Sven Svenja Sverre Svetlana Svitlana Swapnil Swati Sybille Sylvain Sylvia Sylvie Sylwester Sylwia Szabolcs
Szymon Tadashi Tadeas Tadeusz Tahir Taina Taiwo Takahiro Takao Takashi Takayuki Takeshi Takumi Tamara Tamas Tamer Tania Tanja Tanmay Tanvi Tanya Tao Tara Tarek Tariq Taro
Tarun Tatiana Tatjana Tatyana Tayfun Tebogo Teemu Telma Temitope Teodor Teodora Terence Teresa Tereza Terhi Tero Terry Terttu Tetiana Tetsuya Thabo Thandiwe Thanh Thanos
Thao Thea Thelma Themba Theo Theodor Theodora Theodore Theodoros Theresa Therese Thiago Thibault Thiemo Thierry Thijs Thomas Thomasina Thora Thorben Thorbjorn Thorsten
Thulani Tiago Tibor Tihomir Tiina Tilo Tim Timo Timothy Tina Tine Tino Titilayo Titus Tjark Tobias Tobiasz Todd Todor Tolga Tolulope Tom Tomas Tomasa Tomasz Tomaz Tomi
Tomislav Tommaso Tommy Tomoko Toni Tonje Tony Torben Torbjorn Tore Toril Torsten Toru Torunn Toshio Tove Tracy Traian Trang Traudel Trevor Trine Tristan Troels Trond
Trung Truus Tshepo Tsutomu Tuan Tudor Tugba Tuija Tulay Tuncay Tunde Tuomas Tuomo Tushar Tuula Tyler Tyrone Udo Ufuk Ugo Ugochukwu Ulf Ulises Ulisses Ulla Ulrich Ulrike
Umar Umberto Umesh Umit Umut Unai Urs Urska Ursula Urszula Usha Usman Ute Uwe Vaclav Vadim Vadym Vaibhav Valdemar Valentin Valentina Valentyna Valeria Valerie Valerio
Valeriy Valters Vanda Vandana Vanesa Vanessa Vanja Varsha Varun Vasile Vasiliki Vasilios Vasilis Vasily Vasyl Vedran Veera Veikko Veli Venera Venkat Venla Vera Verena
Veronica Veronika Veronique Vesa Veselin Vesna Vibeke Vicente Vicki Victor Victoria Vidar Vidya Vignesh Viivi Vijay Vikas Vikram Viktor Viktoria Viktoriia Viktoriya Vilho
Ville Vilma Vinay Vince Vincent Vincenzo Vinh Vinod Viola Viorel Viorica Virginia Virginie Virpi Vishal Vishnu Vitalii Vitaliy Vitaly Vito Vittoria Vittorio Vivaan Vivek
Vivian Viviana Vivienne Vjekoslav Vlad Vladan Vladimir Vladimira Vladislav Vlasta Vojtech Volkan Volker Volodymyr Vyacheslav Waclaw Wafa Waldemar Waleed Walentyna Walid
Walter Waltraud Wanda Wanjiru Wayne Wei Weiming Weiwei Wenche Wendy Wenjie Wenzel Werner Wiebke Wieslaw Wieslawa Wiktor Wiktoria Wilfred Wilfried Wilhelm Wilhelmina
Willem William Wilma Wim Winfried Winnie Witold Wladyslaw Wladyslawa Wlodzimierz Wojciech Wolfgang Wout Wouter Xavier Xiaodong Xiaohong Xiaoli Xiaoming Ximena Xinyi
Xiulan Xiumei Xiuying Xuan Yago Yakov Yan Yana Yann Yannick Yannis Yara Yaroslav Yasar Yasemin Yash Yasin Yasir Yasmin Yasmine Yasuhiro Yasuko Yasuo Yavuz Yelena Yetunde
Yevgeny Yevhen Yevheniia Yewande Yiannis Yifan Yifei Yigit Ying Yogesh Yoichi Yoko Yolanda Yong Yosef Yoshihiro Yoshiko Yoshio Youna Youssef Yuhan Yuka Yuki Yukiko Yukio
Yulan Yulia Yuliia Yumi Yumiko Yuna Yuri Yurii Yuriy Yusuf Yutaka Yuting Yuto Yuxuan Yves Yvonne Zachary Zahra Zainab Zaki Zanele Zaynab Zbigniew Zbynek Zdenek Zdenka
Zdzislaw Zdzislawa Zehra Zeljko Zerrin Zeynep Zhanna Zhihao Zhiqiang Zhiwei Ziad Zihan Zimo Zineb Ziva Zixuan Zlata Zlatan Zlatko Zoe Zofia Zoltan Zoran Zorica Zsofia
Zsolt Zsuzsanna Zubair Zuzana Zuzanna Zygmunt
`

export const FIRST_NAMES: readonly string[] = NAMES.trim().split(/\s+/)

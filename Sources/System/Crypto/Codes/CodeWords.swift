/// The 2048 words of join codes, in alphabetical order. Five of them are 55 bits.
///
/// They are read aloud across a room and typed by listeners. So the tests require: four to seven letters;
/// different first four letters, so that a prefix identifies a word; no word one typing error away from another;
/// and no two words that sound alike except for their vowels.
enum CodeWords {
    public static let all: [String] = text.split(separator: " ").map(String.init)

    /// Never change this list: a code written down for next week's lesson must still work.
    private static let text = """
        abacus abalone abbey abide ability aboard about above abroad absorb accent acorn acrobat action actor acumen \
        adapt adjust admiral adobe advance adverb advice aerial aerosol affair afford afloat agate agenda agile agree \
        ahead airport airship aisle alarm album alcove alert algae alibi alkali alley almanac almond alpaca alpha \
        alpine already also always amaze amber amble amend amulet anagram anchor ancient anemone angle animal anise \
        anklet annual answer antenna anthem antique anvil anybody anyone apart apology apple apricot apron aquatic \
        arbiter arcade archer arctic arena argue armada armor aroma around arrange arrive arrow artist ascend ashore \
        aspen asphalt aspire asset aster astound athlete atlas atoll atomic atrium attach attend attic auburn audio \
        august aurora author autumn avenue average aviator avocado awake award awhile awning axle azalea azure backup \
        badge bagel baggage bagpipe bakery balance balcony ballad balsam bamboo banana bandage banjo banner banquet \
        baobab barber barcode bargain barley baron barrel basil basket bassoon batch bathtub battery bazaar beacon \
        beagle beanbag beaver become bedrock bedtime beehive before begin behind beige believe bellows belong bench \
        benefit beret berry beside better beyond bicycle bifocal billow binder biology biplane birch birdie blanket \
        blazer blend blimp blink bliss block blossom blue bluff boast bobbin bobcat bodice boiler bold bolster bonfire \
        bongo bonnet bonsai bonus bookend border botany bottle bough bounce bouquet boxcar bracket braid bramble \
        branch brave brawny breeze brick bridge brief bright brioche brocade bronze brother brown brush bubble buckle \
        buddy budget buffalo builder bulb bumper bundle bunny burger burlap burrito bushel busy butler button buzzard \
        byte cabbage cabin cable caboose cactus caddie cadence cairn calcium calm calorie calypso camel campus canary \
        candle canoe canvas canyon capable capsule captain caramel carbon cargo caribou carpet carrot cartoon carve \
        cascade cashew castle casual catalog catcher catnip caution cavern cedar ceiling celery cellar cement census \
        center ceramic cereal certain chalk chamber change chapter charm chase check cheddar cheer cherry chief chilly \
        chimney chip chisel chive chorus chrome chuckle cicada cinema circle citizen citrus city civic claim clamp \
        class clay clear clever cliff climb clinic cloak closet cloth cloud clown cluster coach coaster cobalt cobbler \
        cobra cobweb coconut code coffee cogent collage color combine comet comfort comic common concert condor conga \
        conifer connect contest convoy cookie copilot copper coral cordial corsage cosmos cottage cougar council \
        couple courage cousin coyote cozily cracker cradle crafty crane crater crawl cream credit creek crepe crest \
        crevice crew cricket crimson crisp crocus croft crouton cruise crumb crunch crystal cube cubicle cuddle \
        culture cupcake curator curious curly current cursive cushion custard cutlery cutout cycle cygnet cymbal \
        cypress dahlia daisy damask dance dapper daring dart dashing dawn dazzle debate decade decent decimal decline \
        deep default defend defrost degree delight delta deluxe demand denim dentist depart depth deputy derby desert \
        design desk detail detect detour develop device devote dewdrop dewy diagram dialect dice dictate diesel differ \
        digit dilemma dimmer dimple dinghy dinner diploma direct discus dish display ditto diverse divide dock doctor \
        dodge dogwood dollar dolphin domain dome domino donate donkey doodle doorway dormant dotted double dozen draft \
        dragon drama drapery drawing dredger dress drive drizzle droplet drought drowsy drum duchess ductile duet \
        duffel duplex durable durian dusty dutiful dwell dynamic eager early earnest earth easel ebony echo eclair \
        eclipse ecology economy edible edifice edition educate effect effort eggnog eight elapse elastic elbow elder \
        elegant element elevate elite elixir else embark emblem embrace emerald emotion emperor empire employ empty \
        enable enchant encore endive endless endorse endure energy engage engine engrave enigma enjoy enlist enough \
        enrich ensign entire entry epic episode epoch epoxy equal equip erase escape essay estate esteem etching \
        eternal ethics evening every evident evoke evolve example excel excite excuse exhale exhibit exist exotic \
        expand expert explore expose express extend extra eyebrow eyelash fabric facet factory faculty fairway faith \
        falafel falcon family famous fancy fanfare fantasy farmer fashion fasten father favor feast federal feeling \
        feline fellow felt fence fender ferret fertile fetch fiber fiction fiddle fidget field fiesta fifteen figment \
        figure fillet film filter finch finesse finger finish firefly first fiscal fishing fitness fixture fizzy \
        flagon flame flannel flask flatter fleece flicker flight flint flipper floor floral fluffy flurry flying foal \
        foamy focus foggy foghorn folder foliage fondue food forage forest forget fork formula fortune forum forward \
        fossil foster foxtrot foyer freckle freedom freight fresco friday friend frigate fringe frisbee frog frolic \
        front fruity fuchsia fudge fulcrum furnace fusion future gabled gadget galaxy gallery gambit game garage \
        garden gargle garlic garment garnet gauge gazebo gecko general genial genre gentle genuine geology gerbil \
        gesture geyser giant gibbon gift giggle giraffe glacier glance glaze gleam gleeful glen glide glimpse glitter \
        globe glory glossy glow glucose gnome goat goblet goggles golden golfer gondola goose gopher gorilla gosling \
        gossip gourmet govern grade grain grammar grand graph grass gravel gray great grebe grill grizzly grocer groom \
        grotto group grove growth guard guava guest guild guitar gulf gumball gumdrop gusto gymnast habit haddock \
        haiku half halibut hallway halogen hamlet hammock hamper hamster handy hangar happen harbor harmony harness \
        harp harvest haste haunt haven hawk hayloft hazel hazy healthy heart heather hedge heel hefty helium helmet \
        help hemlock herald herbal hermit heron hexagon hiccup hickory hidden highway hiking hilltop hinge hippo \
        history hitch hobby hobnob holiday homage honest honor hoop hopeful horizon hornet horse hotel hound hour \
        hover hubcap human humble humid hummus humor hundred hungry hunter hurdle hurray hush husky hybrid hydrant \
        hyena hyphen iceberg icicle ideal idiom igloo ignite iguana imagine imitate immense immune impact import \
        improve impulse include index indigo inertia inform ingot inhale initial inkwell inland input insect inside \
        insole instant insulin intend invent invite invoice inward iodine iron italic item itself jabber jackal jaguar \
        january jargon jasmine jasper javelin jaybird jealous jeans jelly jersey jester jetty jewel jigsaw jingle \
        jitter jockey join joker jolt jostle journal jovial joyful jubilee juggle juice jukebox jumbo jump junior \
        jurist juror justice karaoke kayak kazoo kernel kestrel ketchup kettle kidney kiln kimono kind kinetic kinship \
        kiosk kitchen knack kneecap knight knob knoll knuckle koala kudos label labor lacquer ladder ladle lagoon lake \
        lanky lantern large lark lasagna laser lasso lattice laugh launch laurel lavish leaflet league leap learn \
        leash lecture legacy legend lemon lemur length lens lentil leopard lesson level lexicon liberty library \
        license lilac limit limpet lineage lingo lion liquid listen litmus little lively lizard llama loaf lobster \
        local locket locust lofty logic lonely longbow loom lotion lounge lucid lucky luggage lullaby lunar lupine \
        luxury lynx lyre lyric macaw machine macro magenta magic magnet magpie mailbox majesty major mallard mammal \
        manage mango mansion mantle manual maple marble march margin marimba market marmot marquee marvel mascot mason \
        massive matador matrix matter maximum meadow meander measure medal medium medley melody memory mentor meow \
        mercury merge mesh message method metro mighty migrate mild mileage million mime mimic mince mineral minimum \
        minnow minor mint minute mirage mirror misty mitten mobile mocha modern modify molar moment monarch monday \
        monitor month moon mooring moped morning mortar mosaic mother motif mouse movie muesli muffin mulch mule mural \
        muscle museum muslin mustang mutual muzzle myriad myrtle mystery myth nachos napkin narrate narwhal nation \
        nature navy near nebula nectar needle nephew nerve nestle neutral newborn next nexus nibble nickel niece nifty \
        nimbus nine nodule nomad normal north notable novel novice nowhere nozzle nuance nucleus number numeral nurse \
        nurture nutmeg nylon oaken oasis oatcake oatmeal obelisk object oblige oblong observe obtain obvious ocean \
        ocelot octagon october oddity odyssey offhand office offset often okra olive omega omit omnibus online only \
        onset onyx ooze opal open opera opinion opossum oppose optical oracle orator orbit orca orchard oregano orient \
        origami ornate osprey ostrich otter ottoman outback outcome outdoor outfit outgrow outing outlook outpost \
        outrun overall owner oxbow oxford oxygen pacific package paddle padlock page pagoda paint pair pajamas palace \
        palette panama pancake panda panel panic pansy pantry papaya paper paprika papyrus parade parcel pardon parent \
        parka parlor parsley partner passage pasta patio patrol pattern pause payday payment peach peanut pebble pecan \
        peek pelican pencil pendant penguin penny people perfect perhaps person petal petunia pewter phantom phlox \
        phoenix phone photo phrase physics piccolo pickle picnic picture pigeon piglet pilgrim pinball pinto pioneer \
        pirate piston pitcher pivot pixel pizza placid planet plaster playful plaza pledge plenty pliers plot pluck \
        plum plural plush plywood podium poem poetry poised polka pollen polygon pompom poncho pond popcorn poplar \
        porch postage potato pottery poultry powder prairie praline prance precise predict prefer prelude premium \
        prepare present pretzel price primary printer prior prism private problem produce profile program prolong \
        promise pronto propel protect proud provide prune public pudding pulley pulp pulse puma pumpkin punch pupil \
        puppet purity purple pursue pyramid python quail quality quantum quarter quasar queen query queue quilt quince \
        quirky quiver quiz quota rabbit raccoon race racquet radar radiant raffle rafter ragtime railway rainbow \
        raisin rampart random range rapid rapport rapture ratchet rattle ravine razor react realize rebound recall \
        receipt recipe record recycle redwood reef refill reflect reform refresh refuge regal reggae region regular \
        rejoice relax relief remark remedy remind remote renew renown rental repair repeat reply repose reptile \
        request rescue resolve respect result retire return reveal review reward rhino rhubarb rhyme rhythm rigid \
        rinse ripen ripple rising ritual river roadway roam robe robin robust rocky rolling romance romper rooster \
        rotate rotunda route royal rubber rugby ruler runner russet rustic sachet safari safety saffron saga salad \
        salmon salsa saltine salute samba sample sandal sapling sardine sash sassy satchel satin saturn sauce sauna \
        saving savvy sawdust scale scamper scarf scene scepter scholar science scooter score scout screen script \
        scroll sculpt seagull search season secede second secret section secure sedan segment select senate senior \
        sepia sequel sermon server sesame seven shack shade shaggy shaker shallow shawl shear sheep shelf shield \
        shimmer shine shirt shiver shoe shovel shred shrimp shrub shuffle shutter sibling sidecar signal silence \
        silicon silk silly silver similar sincere siren sister sitting sizzle sketch skiff skipper skylark slab slacks \
        slalom slate sled sleeve slice sling slogan slope slumber small smart smith smock smudge snail snapper sneaker \
        sneeze snippet snorkel snow snuggle soccer social sofa solace soldier solemn solve sonata song soprano sorbet \
        source south soybean space spaniel sparkle spatula speak special speed spell sphere sphinx spider spinach \
        spiral splash split sponge spoon sport spray spring sprout spruce spur squash squeeze squid stable stadium \
        stage stair stamp stanza station steady steel stellar stencil step stereo sticker stilt stirrup stitch stone \
        storm straw stream stride strong strudel stubby student sturdy subdue subject submit subtle suburb subway \
        success suede suffix sugar sulfur summer sunday sunrise supper surface surge survey sushi suspend sustain \
        swaddle swarm swatch sweater sweet swift swim swivel swoop synergy syrup system tablet tackle taco tadpole \
        tailor talent talk talon tandem tangent tapir target tartan tassel tasty taxi teacher team teapot teddy \
        teenage temper tenant tendril tennis tenor tent terrace tether textile thank thatch theater theme theory \
        thermal thicket thimble third thistle thorn thought thread thrive throne thrush thumb thunder tiara tidal \
        tiger timid tinfoil tinker tinsel tiny tiptoe tissue titan title toddler toggle token tomato tonight topaz \
        topic topple tornado torrent tostada total totem touch towel town track traffic trail transit trapeze treble \
        treetop trefoil trellis trend tribute triceps trident trifle trim trinket trivia trolley trophy trout true \
        trumpet trunk trust truth tuba tuesday tugboat tulip tundra tunic tunnel turban turkey turnip turret turtle \
        tusk tutor tuxedo twang tweak tweed twelve twenty twice twig twirl twist type typhoon typical ukulele ulna \
        ultra umpteen unbox uncle uncover unearth unfold unfurl unicorn uniform unique unison unit unknown unlock \
        unpack unravel untie unusual unwind upbeat update upgrade uphill upkeep upland upright upshot uptake upturn \
        upward urchin urgent usable usage useful utensil utility utmost utopia vacant vacuum vague valet valiant valve \
        vanilla vantage vapor variety varnish vast vault vector vehicle velcro velour velvet vendor venture veranda \
        verbena verdict vernal verse vespers vessel vested veteran viaduct vibrant vicuna video viewer vigil vigor \
        villa vinegar vinyl violin virtue visible vista vital vivace vivid vixen voice volcano volume vortex vote \
        voucher voyage wagon walkway walnut walrus waltz warbler warmth warrior wasabi waxy wealth weave webbing \
        wedding welcome welfare western whale wharf when whicker whimsy whirl width wigwam wildcat window winsome wire \
        wisdom wispy wobble wolf wombat world worthy woven wrap wreath wrestle wrinkle wrist xenon yacht yarn yoga \
        yogurt yolk young yucca yummy zeal zebra zenith zephyr zero zesty zigzag zinc zircon zither zodiac zoology
        """
}

import PotluckCore
import PotluckNet

/// The limits of a gateway, each with its reason. `PageLimits` has those of messages, and `LinkLimits` those of
/// connections.
package struct GatewayLimits: Sendable {
    /// The time for a request, for the first messages of a page, and between two requests. A phone on bad Wi-Fi needs two.
    package var request: Duration = .seconds(5)
    /// The time for a browser to take an answer.
    package var answer: Duration = .seconds(15)
    /// After this silence a page is gone. It hears a ping three times meanwhile.
    package var silence: Duration = .seconds(15)
    package var ping: Duration = .seconds(5)
    /// Four pictures a second look alive, and cost a room of 200 pages little.
    package var interval: Duration = .milliseconds(250)
    /// How often deadlines are checked.
    package var check: Duration = .milliseconds(500)
    /// The messages of one page: a page that works sends a few for each chunk.
    package var messages = (most: 512, perSecond: 200)

    /// The requests of one connection. A page has 25 files, which a browser fetches over six connections.
    package var requests = (most: 32, perSecond: 8)
    /// The messages that one `fetch` counts for, because its answer takes as much of this thread.
    package static let fetch = 4
    /// The messages with finished runs that one page gets: two whole answers, and then as many bytes a second as a page
    /// that fetches. Further ones wait, because a later answer replaces them.
    package var results = (most: 2 * GatewayLimits.results, perSecond: 2)
    /// How often the user of one page may type another name, guess, or lend more or fewer cores: faster than a hand. Each
    /// sends something to all pages, or changes a node.
    package var deeds = (most: 16, perSecond: 1)

    /// The pages of one address that join: twice a room of 200 behind one router, which may reconnect together, and then as
    /// many as users open.
    package var joins = (most: 512, perSecond: 4)
    /// The most addresses whose pages are counted.
    package static let entrances = 1024

    /// The finished runs that a page can ask for.
    package static let results = 32
    /// The jobs that are over and still shown: nobody looks at more of them at once.
    package static let over = 4
    /// The lines of news that a page gets when it joins.
    package static let news = 5
    /// The most readings, nodes and bins of a histogram in one picture: more than anybody reads on a page.
    package static let readings = 32
    package static let nodes = 128
    package static let bins = 128
    /// The most columns and rows of a histogram in two dimensions: their counts take a fifth of a picture.
    package static let cells = 32
    /// The most ranks of a program that are shown one by one: as many as fit on a screen.
    package static let ranks = 128
    /// The most laptops of a program in one picture: more than anybody reads on a page.
    package static let laptops = 64
    /// The most nodes that the host's page shows as waiting for approval. It shows the next ones as these are judged.
    package static let newcomers = 64
    /// The most scripts of guests that wait for the host: a class, and less than a megabyte.
    package static let proposals = 40
    /// The most bytes of a picture, of a list of members, and of the points in one message. The rest of the message has
    /// room beside them.
    package static let picture = PageLimits.message - (4 << 10)
    /// The most bytes of work that wait for one page. The chunks in hand of 64 cores have far fewer.
    package static let work = 1 << 20
    /// The most addresses that a host has removed.
    package static let banned = 1024

    package init() {}
}

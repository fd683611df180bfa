import PotluckCore
import PotluckKit

/// The limits and timeouts of jobs, each with the reason for its value.
public enum JobLimits {
    // MARK: Handing out

    /// Chunks that a core has in hand: one in progress and one waiting, so that it does not wait for the coordinator.
    static let chunksPerCore = 2
    /// A core has chunks in hand for at least this time, which covers the way to the coordinator and back over a bad
    /// Wi-Fi.
    static let ahead: Duration = .milliseconds(40)
    /// The most chunks that a core has in hand. Each costs a message, and all are lost when the laptop leaves.
    static let mostPerCore = 64
    /// An extent holds the work that its node does in the elapsed time divided by this. Each time the job's duration
    /// grows by a factor of e, the ledger gains about thirty ranges per node.
    static let extentPart = 32
    /// The most work in an extent of a job that may be stopped at any time. When it stops, gaps have to be filled, and
    /// blocks that were done beyond them are dropped.
    static let extentOfEndless: Duration = .seconds(2)

    /// A core's chunk of a search is its share of the remaining points, divided by this: a core has two chunks in hand,
    /// and as much remains for cores that end earlier.
    static let searchParts: UInt64 = 4
    /// A chunk of a search has at least this many points, so that the last points do not need a message each.
    static let fewestPoints: UInt64 = 1 << 12

    // MARK: Trouble

    /// A worker is silent if it has chunks and returns nothing for this time, or for `slack` times as long as its
    /// longest chunk should take, whichever is longer. Its chunks go to others. It gets new ones when it returns
    /// something or this time has passed again.
    static let silence: Duration = .seconds(10)
    static let slack = 8
    /// An idle worker repeats a chunk that takes this many times as long as it should.
    static let late = 2
    /// A worker that fails this many times in a row is set aside.
    static let failures = 3
    /// How long a worker is set aside the first time. Each further time is twice as long, up to `longestAside`.
    static let aside: Duration = .seconds(10)
    static let longestAside: Duration = .seconds(600)
    /// A longer gap between two events means that this laptop slept. The time it slept counts against no node.
    static let sleep: Duration = .seconds(5)
    /// While this node waits for another one, it handles an event at least this often, so that a longer gap means
    /// sleep.
    static let pulse: Duration = .seconds(2)

    // MARK: Stopping

    /// How long the coordinator waits for interrupted chunks. They end at the next block, within 50 ms, and then
    /// travel. Slower ones are given up.
    static let patience: Duration = .milliseconds(500)
    /// The same when the user cancelled the job and expects it to end at once.
    static let impatience: Duration = .milliseconds(120)
    /// Gaps are filled for at most the elapsed time divided by this, and for at most `longestFill`. Extents are so long
    /// that this fills them in a job of less than a minute.
    static let fillPart = 50
    static let longestFill: Duration = .seconds(1)

    // MARK: Audits

    /// A second node also computes this many first chunks of each node. They are short, so a node with faulty
    /// arithmetic is found at once.
    static let auditedChunks = 10
    /// The time that one of these chunks should take. Each is computed twice; at full length they would take half the
    /// work of a node with one core for six seconds.
    static let auditedTime: Duration = .milliseconds(50)
    /// After the first chunks one block in this many is audited.
    static let auditedPart = 200
    /// Of a browser's chunks one in this many is audited. Anybody with the page can change its results. With even odds
    /// this finds a liar within seven false chunks; one in 200 would need 138.
    static let auditedPartOfBrowsers = 10
    /// At the end of a job an idle node takes over an audit that takes longer than this, and `late` times as long as it
    /// would need itself. Each further time is twice as long, so that every audit ends at last.
    static let longestAudit: Duration = .seconds(2)
    /// The most answers to one node that wait for the disk. A person gives a few commands a minute; a member that sends
    /// thousands would otherwise be sent all answers at once.
    static let waitingAnswers = 64
    /// The most claims that wait for a second node. Beyond that the oldest is believed.
    static let waitingAudits = 64

    /// A chunk has no more blocks than another node's core computes in this time, whatever speed its own node reports.
    /// So another node can check it in bounded time.
    static let longestLook: Duration = .seconds(5)
    /// The most blocks in a chunk while no other node has returned results. A block of 20 µs then has no overhead worth
    /// mentioning, and blocks of 15 ms make a minute's work.
    static let unvouched: UInt64 = 4096

    // MARK: Jobs

    /// The most queued and running jobs of a coordinator, and of one submitter. A snapshot of each goes to every node.
    static let jobs = 64
    static let jobsOfOne = 16
    /// The ends of jobs that are kept for nodes that were away, and the octets of their results: a sweep of a thousand
    /// points, whose results have about 20 KB with thirty nodes. The oldest are forgotten first.
    static let endings = 1024
    static let endingOctets = 32 << 20
    /// The number of ends that a node is told when it reconnects without asking, as older versions do.
    static let toldEndings = 8
    /// How often a node may ask over one link how jobs ended. It asks when it connects, and for each coordinator that it
    /// lost since.
    static let questions = 16
    /// How long a node waits for the answer of a coordinator that was asked for all its jobs. Older versions do not answer.
    static let listing: Duration = .seconds(5)
    /// The jobs whose end a node told its user, which it tells only once: more than all endings that several coordinators
    /// can tell it again.
    static let reportedEnds = 8 * endings
    /// The jobs of one coordinator that a node shows: those that are open, and as many that ended while it was away.
    static let shown = 2 * jobs
    /// The most failed blocks that a job remembers; the oldest are forgotten first.
    static let failedBlocks = 1024
    /// The most chunks of silent nodes that a job remembers, in case they fail after all: more than a session of a
    /// hundred laptops has in hand.
    static let withdrawnChunks = 4096
    /// The most nodes that a job remembers by name: as many as a session has. Beyond that, nodes that left and did
    /// least are counted together.
    static let mostWorkers = JobOrder.mostWorkers

    /// How often the nodes are looked at one by one for jobs that wait behind others, if those do not use all nodes. A
    /// session may have hundreds of nodes and thousands of events a second.
    static let lineLook: Duration = .milliseconds(100)

    /// Connected nodes need a moment to prepare a simulation. Users are told only of longer waits.
    static let preparing: Duration = .milliseconds(300)

    // MARK: Outliving a coordinator

    /// The number of replicas of a job: two, so that one holder may leave in the same minute as the coordinator.
    static let replicas = 2
    /// How often replicas are brought up to date. At most this much work is computed again after a take-over, and the
    /// links carry little.
    static let replica: Duration = .seconds(1)
    /// The number of unsent changes beyond which replicas are brought up to date earlier.
    static let mostUnsent = 4096
    /// The most replicas that a node holds, and the most pieces beyond a gap in each: a replica must not cost more than
    /// the job.
    static let replicaJobs = 64
    public static let replicaPieces = 1 << 16
    /// The most slots of all tallies in one replica, 256 MiB. A job with the largest tally that fits into a message
    /// needs half of it for its checkpoints.
    static let replicaSlots = 1 << 25
    /// A holder of a replica waits this long for a coordinator whose link is lost, and then up to as long again. The
    /// second time depends on its ID, so that two holders rarely take over at once.
    static let takeoverDelay: Duration = .milliseconds(500)
    /// A holder that lost the link to the coordinator, and has not received the whole job since, waits this much
    /// longer: other holders may know more.
    static let staleness: Duration = .seconds(2)
    /// How often a coordinator takes a higher epoch than one that knows less of its job. Two coordinators may disagree
    /// on this while both compute; after three times it is cheaper to follow.
    static let claims = 3
    /// The most claims to a job that a worker remembers besides that of the coordinator it works for.
    static let rivals = 8
    /// After sleep this node takes over no job for this time, in which it finds the other nodes.
    static let awakening: Duration = .seconds(10)
    /// A job whose coordinator is gone counts as lost when no node has continued it for this time. A coordinator that
    /// restarts needs a moment.
    static let lostJobTimeout: Duration = .seconds(20)
    /// The most results that a worker keeps of a job, to offer them to a coordinator that does not know them: the work
    /// of a few cores in ten seconds. Their tallies have at most `offeredSlots` slots, a megabyte.
    static let offered = 256
    static let offeredSlots = 1 << 17
    /// A coordinator takes no more offers for a job with this many pieces beyond a gap, or this many gaps. Thirty nodes
    /// offer as much to a coordinator that has just taken over.
    static let looseOffers = 1 << 13
    /// The most jobs without a coordinator whose results a worker keeps.
    static let orphans = 8

    // MARK: Blobs

    /// The most large blobs that are fetched from one node at a time. Two, so that the second is requested before the
    /// first has arrived; the others are queued.
    static let fetchesOfOne = 2
    /// The most small blobs, of one part each, that are fetched from one node at a time: as many as parts may be in
    /// flight.
    static let smallFetchesOfOne = mostPartsAsked
    /// The most large blobs that are fetched from all nodes together. Outputs of chunks are put together in memory and
    /// mostly have a mebibyte each.
    static let fetches = 32
    /// Parts of a blob in flight from a node at first, and on a slow link: 60 KiB, which take half a second on a bad
    /// Wi-Fi of 1 Mbit/s. Thirty nodes together keep two megabytes in flight.
    static let partsAsked = 4
    /// Parts in flight from a node on a fast link: 240 KiB, nearly what a link sends before it waits for credit. Thirty
    /// nodes with two blobs and a gigabit each keep 14 MiB in flight.
    static let mostPartsAsked = 16
    /// When a part arrives within this time, one more part may be in flight from then on; otherwise one fewer. So parts
    /// fill a link of 100 Mbit/s and 6 ms, and on a slow link a control message waits little longer than this.
    static let promptPart: Duration = .milliseconds(50)
    /// The timeout for one part: long enough for links of a few kilobytes per second.
    static let partTime: Duration = .seconds(30)
    /// The target for a chunk's output. The output is in memory while it travels, so the kit ends a chunk that has
    /// written this much.
    static let chunkOutput = Block.mostWritten
    /// Up to this many outputs in flight from a node do not count as chunks in hand. So a slow link does not leave
    /// cores idle at once, and no laptop piles up more than its link can carry.
    static let arriving = 16
    /// An output is kept for this time after it was last requested: longer than a laptop takes to reconnect from a bad
    /// corner.
    static let outputKept: Duration = .seconds(60)

    /// The journal keeps a job for this time after its result was told. A coordinator that is killed meanwhile tells
    /// the result again.
    static let retelling: Duration = .seconds(2)
    /// The journal marks a result as told after this time, when the history of this node has recorded it. It is better
    /// told twice than never recorded.
    static let recording: Duration = .milliseconds(250)

    // MARK: Showing

    /// The interval between pictures of a job on the coordinator: short enough to look alive, long enough to cost
    /// nothing.
    static let picture: Duration = .milliseconds(100)
    /// A simulation that reads its tally for longer than this is shown as slow. It gets no new picture to read for as
    /// long as the last reading took; otherwise a core would only read.
    static let slowReading: Duration = .milliseconds(250)
    /// The interval between pictures for other nodes. With many nodes it is `farPicturePerNode` for each of them.
    static let farPicture: Duration = .milliseconds(250)
    static let farPicturePerNode: Duration = .milliseconds(8)
    /// The longest interval between pictures: everyone sees the same within a second.
    static let rarestFarPicture: Duration = .milliseconds(900)
    /// How long each picture of a job that begins in slow motion is shown: time to read it aloud.
    static let openingStep: Duration = .milliseconds(1500)
}

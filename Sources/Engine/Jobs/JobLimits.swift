import PotluckKit
import PotluckModel

/// Every number that jobs are decided by, and why it is that number.
enum JobLimits {
    // MARK: Handing out

    /// A core has one chunk under way and the next one waiting, so that it never waits for us.
    static let chunksPerCore = 2
    /// Where chunks are short, a core has as much work as covers the way to us and back over a bad Wi-Fi.
    static let ahead: Duration = .milliseconds(40)
    /// But no more chunks than this: a message a chunk, and a laptop that goes loses them all.
    static let mostPerCore = 64
    /// A node's extent is so much of the job's time so far, so that the ledger has about thirty ranges a node and e-fold.
    static let extentPart = 32
    /// For a job that may be stopped at any time: what is done beyond a gap has to be dropped, or the gap be filled.
    static let extentOfEndless: Duration = .seconds(2)

    // MARK: Trouble

    /// A worker that has chunks and brings none for so long, or for eight times as long as it should take, gets no more until
    /// it brings something, and its chunks go to others.
    static let silence: Duration = .seconds(10)
    static let slack = 8
    /// An idle worker repeats a chunk that takes twice as long as it should.
    static let late = 2
    /// A worker that fails so often in a row is left alone.
    static let failures = 3
    /// For so long the first time, twice as long each time after it.
    static let aside: Duration = .seconds(10)
    static let longestAside: Duration = .seconds(600)
    /// A longer gap between two events means that this laptop slept; nobody is judged by it.
    static let sleep: Duration = .seconds(5)
    /// While somebody is waited for there is an event at least this often, so that a gap is a gap.
    static let pulse: Duration = .seconds(2)

    // MARK: Stopping

    /// Interrupted chunks end at the next block, which takes 50 ms at most, and the way here; who needs longer is not waited for.
    static let patience: Duration = .milliseconds(500)
    /// Somebody cancelled it, and is to see it end at once.
    static let impatience: Duration = .milliseconds(120)
    /// Gaps are filled for at most this part of the job's time so far, and at most so long.
    static let fillPart = 50
    static let longestFill: Duration = .seconds(1)

    // MARK: Audits

    /// Of each node the first chunks are all computed by a second one, too: they are short, and a node whose arithmetic is
    /// wrong shows at once.
    static let auditedChunks = 10
    /// A core does each of those in this time: they are all done twice, and of a node of one core that would be half its work
    /// for six seconds.
    static let auditedTime: Duration = .milliseconds(50)
    /// After them one block in so many.
    static let auditedPart = 200
    /// Claims waiting for a second node; more than that and the oldest are believed.
    static let waitingAudits = 64

    /// A chunk has no more blocks than another node's core does in this time, whatever its own node says that it does: somebody else
    /// may have to look at it, and is not to be at it for ever.
    static let longestLook: Duration = .seconds(5)
    /// And no more than these while nobody else has brought anything: an overhead of nothing where a block takes 20 µs, and a minute's
    /// work where it takes 15 ms.
    static let unvouched: UInt64 = 4096

    // MARK: Jobs

    /// In line and running; a snapshot of each goes to everybody.
    static let jobs = 64
    static let jobsOfOne = 16
    /// Results kept for nodes that are away for a moment: a few jobs that end while a Wi-Fi is down.
    static let endings = 8
    /// A tally of a megabyte: thirty of them at once must not hurt.
    static let failedBlocks = 1024
    /// Nodes that a job remembers by name: as many as a session has. Of more than that those who left and did least are counted
    /// together.
    static let mostWorkers = JobOrder.mostWorkers

    /// Nodes that are there need a moment to get a simulation ready; nobody need be told of that.
    static let preparing: Duration = .milliseconds(300)

    // MARK: Outliving a coordinator

    /// So many others can go on with a job: one may leave in the same minute.
    static let replicas = 2
    /// They are told what is new this often: so much work is done again at most, and their links carry little.
    static let replica: Duration = .seconds(1)
    /// Or when so much is new.
    static let mostUnsent = 4096
    /// Of the jobs of others, and of each so many pieces beyond a gap: a replica must not cost more than the job.
    static let replicaJobs = 64
    static let replicaPieces = 1 << 16
    /// Slots of all tallies in one replica, 256 MiB: twice what a job has whose tally is as large as a message takes, at all
    /// checkpoints.
    static let replicaSlots = 1 << 25
    /// Who holds a replica waits so long for a coordinator whose link is lost, and up to as long again by its own ID, so that two
    /// holders rarely take over at once.
    static let takeoverDelay: Duration = .milliseconds(500)
    /// Who was cut off from a job's coordinator, and has not been told all of the job since, leaves it to others for so long.
    static let staleness: Duration = .seconds(2)
    /// A coordinator goes on above whoever knows less of its job so often. Two may differ about it while both compute; after three
    /// times it is cheaper to follow.
    static let claims = 3
    /// A worker remembers so many that coordinate its job beside the one it works for.
    static let rivals = 8
    /// Who slept finds the others in this time.
    static let awakening: Duration = .seconds(10)
    /// A job whose coordinator is gone is shown as lost when nobody has gone on with it for so long: one that starts again needs
    /// a moment.
    static let lostJobTimeout: Duration = .seconds(20)
    /// Of each job a node keeps what it has done last, for a coordinator that has not heard of it: what two cores and more do in
    /// ten seconds, and no more slots of tallies than a megabyte.
    static let offered = 256
    static let offeredSlots = 1 << 17
    /// A coordinator takes no more offers for a job while so many pieces lie beyond a gap, or there are so many gaps: what thirty
    /// nodes offer to one that has just taken over.
    static let looseOffers = 1 << 13
    /// Jobs whose coordinator is away, for which a node keeps what it has done.
    static let orphans = 8

    // MARK: Blobs

    /// Blobs that are fetched from one node at the same time, so that the next one is asked for before the last has come; the
    /// others wait in line.
    static let fetchesOfOne = 2
    /// Small blobs of one node that are fetched at the same time, all of which fit into one part. As many as parts may be under way.
    static let smallFetchesOfOne = mostPartsAsked
    /// Larger blobs that are fetched from all nodes together: what chunks wrote is put together in memory, mostly a mebibyte each.
    static let fetches = 32
    /// Parts of a blob that are under way to a node at first, and on a slow link: 60 KiB, which take a bad Wi-Fi of a megabit half
    /// a second, and thirty nodes together keep two megabytes waiting.
    static let partsAsked = 4
    /// Where they come promptly: 240 KiB, nearly what a link takes before it gives credit again. Thirty nodes that have two blobs
    /// on their way and a gigabit each keep 14 MiB waiting.
    static let mostPartsAsked = 16
    /// Whoever gets a part this soon has one more under way from then on; otherwise one fewer. So parts fill a link of 100 Mbit/s and
    /// 6 ms, and where it is slow not much more than this waits in front of a control message.
    static let promptPart: Duration = .milliseconds(50)
    /// For one part to come, over links of a few kilobytes a second, too.
    static let partTime: Duration = .seconds(30)
    /// A chunk is made so long that it writes about this: its octets lie in memory while they travel. The kit ends one that has
    /// written as much.
    static let chunkOutput = Block.mostWritten
    /// What a node's chunks wrote and is on its way here does not count as in hand, up to so many: a slow link does not keep cores
    /// idle at once, and no laptop heaps up more than its link can take.
    static let arriving = 16
    /// What a job wrote is kept for so long after somebody last asked for it: longer than a laptop takes to come back from a bad
    /// corner.
    static let outputKept: Duration = .seconds(60)

    /// A result is in the journal for so long: whoever is killed while telling it tells it again.
    static let retelling: Duration = .seconds(2)
    /// Whoever was told it here has written it into the history by then: rather told twice than recorded never.
    static let recording: Duration = .milliseconds(250)

    // MARK: Showing

    /// Views are drawn this often: fast enough to look alive, slow enough to cost nothing.
    static let picture: Duration = .milliseconds(100)
    /// A simulation that takes so long to read its tally is shown as slow, and rests as long before it is asked for another
    /// picture: what others see would be older than `farPicture`, and a core do nothing but read.
    static let slowReading: Duration = .milliseconds(250)
    /// Other nodes get pictures this often, more seldom where they are many.
    static let farPicture: Duration = .milliseconds(250)
    static let farPicturePerNode: Duration = .milliseconds(8)
    /// Everybody sees the same within a second.
    static let rarestFarPicture: Duration = .milliseconds(900)
}

import PotluckCore
import Testing

@testable import PotluckSystem

@Suite struct GrantedCoresTests {
    /// A machine of 64 cores with these files and variables.
    private func granted(_ files: [String: String] = [:], _ variables: [String: String] = [:]) -> GrantedCores {
        GrantedCores(online: 64, file: { files[$0] }, variable: { variables[$0] })
    }

    private let version2 = [
        "/proc/self/cgroup": "0::/system.slice/job 7/step\n",
        "/proc/self/mountinfo": "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n",
    ]

    @Test func aMachineAloneIsTheLimit() {
        #expect(granted().count == 64)
        #expect(granted().source == .machine)
        #expect(GrantedCores(online: 0, file: { _ in nil }, variable: { _ in nil }).count == 1)
    }

    @Test(arguments: [
        ("Cpus_allowed:\tff\n", 8), ("Name:\tx\nCpus_allowed:\t3,0000000f\nCpus_allowed_list:\t0-3\n", 6),
        ("Cpus_allowed:\tffffffff,ffffffff,ffffffff\n", 64), ("Cpus_allowed:\t0\n", 64),
        ("Cpus_allowed_list:\t0\n", 64),
    ])
    func anAffinityMaskIsALimit(status: String, count: Int) {
        let granted = granted(["/proc/self/status": status])
        #expect(granted.count == count)
        #expect((granted.source == .affinity) == (count < 64))
    }

    /// A quota holds wherever it is, from the process's own group to the outermost.
    @Test func theLeastQuotaOfAllGroupsHolds() {
        let folders = ["", "/system.slice", "/system.slice/job 7", "/system.slice/job 7/step"]
        for place in folders {
            var files = version2
            for folder in folders { files["/sys/fs/cgroup\(folder)/cpu.max"] = "max 100000\n" }
            let path = "/sys/fs/cgroup\(place)/cpu.max"
            files[path] = "350000 100000\n"
            #expect(granted(files).count == 3)
            #expect(granted(files).source == .quota(path))
        }
    }

    @Test(arguments: [
        ("max 100000\n", 64), ("100000 100000\n", 1), ("50000 100000\n", 1), ("199999 100000\n", 1),
        ("-1 100000\n", 64),
        ("400000 0\n", 64), ("400000\n", 64), ("", 64), ("x y\n", 64), ("9223372036854775808 1\n", 64),
        ("9223372036854775807 1\n", 64),
    ])
    func aQuotaGrantsWholeCores(text: String, count: Int) {
        #expect(granted(version2.merging(["/sys/fs/cgroup/cpu.max": text]) { $1 }).count == count)
    }

    @Test func version1HasQuotasToo() {
        let files = [
            "/proc/self/cgroup": "5:memory:/lsf\n4:cpu,cpuacct:/lsf/7\n0::/\n",
            "/proc/self/mountinfo": """
            33 32 0:29 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset
            34 32 0:30 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct

            """,
            "/sys/fs/cgroup/cpu,cpuacct/lsf/7/cpu.cfs_quota_us": "-1\n",
            "/sys/fs/cgroup/cpu,cpuacct/lsf/7/cpu.cfs_period_us": "100000\n",
            "/sys/fs/cgroup/cpu,cpuacct/lsf/cpu.cfs_quota_us": "800000\n",
            "/sys/fs/cgroup/cpu,cpuacct/lsf/cpu.cfs_period_us": "200000\n",
            "/sys/fs/cgroup/cpuset/lsf/cpu.cfs_quota_us": "1000\n",
        ]
        #expect(granted(files).count == 4)
        #expect(granted(files).source == .quota("/sys/fs/cgroup/cpu,cpuacct/lsf/cpu.cfs_quota_us"))
    }

    /// A container may see its own group as the outermost, with or without the part of the path that leads to it.
    @Test(arguments: [
        ("/docker/ab", "/docker/ab/x", "/x"), ("/docker/ab", "/docker/ab", ""), ("/docker/ab", "/docker/abc", ""),
        ("/docker/ab", "/", ""), ("/", "/../../other", ""), ("/a\\040b", "/a b/c", "/c"),
    ])
    func aGroupIsFoundBelowItsMount(root: String, path: String, folder: String) {
        let files = [
            "/proc/self/cgroup": "0::\(path)\n",
            "/proc/self/mountinfo": "1 2 0:3 \(root) /mnt/my\\040groups ro - cgroup2 none rw\n",
            "/mnt/my groups\(folder)/cpu.max": "200000 100000\n",
        ]
        #expect(granted(files).count == 2)
    }

    static let jobs: [([String: String], String?, Int)] = [
        (["SLURM_CPUS_PER_TASK": "4", "SLURM_CPUS_ON_NODE": "2", "SLURM_JOB_ID": "1"], "SLURM_CPUS_PER_TASK", 4),
        (["SLURM_CPUS_ON_NODE": "16", "SLURM_JOB_ID": "1"], "SLURM_CPUS_ON_NODE", 16),
        (["SLURM_CPUS_ON_NODE": "16"], nil, 64), (["SLURM_CPUS_PER_TASK": "65"], nil, 64),
        (["PBS_NCPUS": "8", "NCPUS": "2", "PBS_JOBID": "1"], "PBS_NCPUS", 8),
        (["NCPUS": "2", "PBS_JOBID": "1.host"], "NCPUS", 2), (["NCPUS": "2"], nil, 64),
        (["LSB_DJOB_NUMPROC": "12"], "LSB_DJOB_NUMPROC", 12), (["OMP_NUM_THREADS": "1"], nil, 64),
        (["SLURM_CPUS_PER_TASK": "0"], nil, 64), (["SLURM_CPUS_PER_TASK": "-3"], nil, 64),
        (["LSB_DJOB_NUMPROC": "two"], nil, 64),
        (["SLURM_CPUS_PER_TASK": "4", "LSB_DJOB_NUMPROC": "3"], "LSB_DJOB_NUMPROC", 3),
    ]

    @Test(arguments: jobs)
    func aBatchSystemGrantsCores(variables: [String: String], name: String?, count: Int) {
        #expect(granted([:], variables).count == count)
        #expect(granted([:], variables).source == name.map { .variable($0) } ?? .machine)
    }

    /// Whatever is in the files, the number is one that the machine has.
    @Test func noTextGrantsTooMuch() {
        let words = [
            "0::", "4:cpu:", "/", "..", "a", "\n", " ", "-", "cgroup", "cgroup2", "cpu", "max", "\\040", "\\9", "\\",
            "ü",
            "Cpus_allowed:", "f", "0", "-1", "100000", "99999999999999999999", ",", ":",
        ]
        for seed in 0..<2000 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            func text() -> String {
                let count = generator.next(below: 40)
                return (0..<count).map { _ in words[Int(generator.next(below: UInt64(words.count)))] }.joined()
            }
            let files = [
                "/proc/self/status": text(), "/proc/self/cgroup": text(), "/proc/self/mountinfo": "1 2 3 " + text(),
            ]
            let (maximum, typed) = (text(), text())
            let granted = GrantedCores(
                online: 64, file: { files[$0] ?? maximum }, variable: { $0 == "LSB_DJOB_NUMPROC" ? typed : nil })
            #expect((1...64).contains(granted.count))
        }
    }
}

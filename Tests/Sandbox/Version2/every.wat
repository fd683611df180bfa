;; The program of every.wasm: no compiler and no library, only the interface. It calls each function of version 2 and
;; notes every number that it gets as four bytes. The notes of all ranks, in their order, are the output. A seed other
;; than 0 chooses what rank 0 does wrong, or in another way.

(module
  (import "potluck_comm" "rank" (func $rank (result i32)))
  (import "potluck_comm" "size" (func $size (result i32)))
  (import "potluck_comm" "time" (func $time (result f64)))
  (import "potluck_comm" "log" (func $log (param i32 i32)))
  (import "potluck_comm" "abort" (func $abort (param i32)))
  ;; to, tag, context, address, bytes, mode
  (import "potluck_comm" "send" (func $send (param i32 i32 i32 i32 i32 i32)))
  (import "potluck_comm" "isend" (func $isend (param i32 i32 i32 i32 i32 i32) (result i32)))
  ;; from, tag, context, address, capacity, and for receive the address of a status
  (import "potluck_comm" "receive" (func $receive (param i32 i32 i32 i32 i32 i32)))
  (import "potluck_comm" "ireceive" (func $ireceive (param i32 i32 i32 i32 i32) (result i32)))
  ;; from, tag, context, whether to wait, status
  (import "potluck_comm" "probe" (func $probe (param i32 i32 i32 i32 i32) (result i32)))
  ;; requests, count, status
  (import "potluck_comm" "wait" (func $wait (param i32 i32 i32) (result i32)))
  (import "potluck_comm" "test" (func $test (param i32 i32) (result i32)))
  (import "potluck_comm" "checkpoint" (func $checkpoint (param i32 i32)))
  (import "potluck_comm" "restore" (func $restore (param i32 i32) (result i32)))

  (memory (export "memory") 1)
  ;; The description: shape 5, no random streams of the kit, a name of 5 bytes, a summary of 19, no hash, no parameters,
  ;; fields, readings and inputs.
  (data (i32.const 512) "\05\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\05\00\00\00\00\00\00\00every\00\00\00")
  (data (i32.const 544) "\13\00\00\00\00\00\00\00Calls every import.\00\00\00\00\00")
  ;; What is logged, and what is sent.
  (data (i32.const 256) "rank ?\00\00one\ntwo\n")
  (data (i32.const 320) "\01\00\00\00\02\00\00\00")

  (global $status i32 (i32.const 64))
  (global $requests i32 (i32.const 96))
  (global $out i32 (i32.const 128))
  (global $in i32 (i32.const 192))
  (global $verdict i32 (i32.const 1024))
  (global $request i32 (i32.const 1536))
  (global $answer i32 (i32.const 2048))
  ;; Where the next note goes. The notes begin behind the three numbers of the answer.
  (global $notes (mut i32) (i32.const 2072))
  (global $fault (mut i32) (i32.const 0))

  (func (export "potluck_abi") (result i32) (i32.const 2))
  (func (export "potluck_fault") (result i32) (global.get $fault))
  (func (export "potluck_alloc") (param $bytes i32) (result i32)
    (select (global.get $request) (i32.const 0) (i32.le_u (local.get $bytes) (i32.const 512))))

  ;; An answer: its address and its length.
  (func $give (param $address i32) (param $bytes i32) (result i64)
    (i64.or
      (i64.shl (i64.extend_i32_u (local.get $address)) (i64.const 32))
      (i64.extend_i32_u (local.get $bytes))))

  (func (export "potluck_describe") (result i64) (call $give (i32.const 512) (i32.const 104)))
  ;; Memory is 0 at first, which is the verdict that it is ready.
  (func (export "potluck_configure") (param i32 i32) (result i64) (call $give (global.get $verdict) (i32.const 8)))

  (func $note (param $number i32)
    (i32.store (global.get $notes) (local.get $number))
    (global.set $notes (i32.add (global.get $notes) (i32.const 4))))

  (func $note_status
    (call $note (i32.load (global.get $status)))
    (call $note (i32.load offset=4 (global.get $status)))
    (call $note (i32.load offset=8 (global.get $status))))

  (func $note_received (call $note (i32.load (global.get $in))))

  (func $list (param $first i32) (param $second i32)
    (i32.store (global.get $requests) (local.get $first))
    (i32.store offset=4 (global.get $requests) (local.get $second)))

  ;; What a rank knows by itself, and what it prints.
  (func $alone
    (call $note (call $rank))
    (call $note (call $size))
    (call $note (f64.ge (call $time) (f64.const 0)))
    ;; Nothing but the first four bytes of the state has room.
    (call $note (call $restore (global.get $in) (i32.const 4)))
    (call $note_received)
    (call $note (i32.load offset=4 (global.get $in)))
    (i32.store8 offset=5 (i32.const 256) (i32.add (i32.const 48) (call $rank)))
    (call $log (i32.const 256) (i32.const 6))
    (call $log (i32.const 264) (i32.const 8))
    (call $log (i32.const 0) (i32.const 0)))

  ;; Around the ring, with calls that wait.
  (func $ring (param $next i32) (param $previous i32)
    (i32.store (global.get $out) (i32.mul (call $rank) (i32.const 3)))
    (call $send (local.get $next) (i32.const 1) (i32.const 0) (global.get $out) (i32.const 4) (i32.const 0))
    (call $note (call $probe (local.get $previous) (i32.const 1) (i32.const 0) (i32.const 1) (global.get $status)))
    (call $note_status)
    (call $receive
      (local.get $previous) (i32.const 1) (i32.const 0) (global.get $in) (i32.const 8) (global.get $status))
    (call $note_status)
    (call $note_received)
    ;; Nobody sends with this tag.
    (call $note (call $probe (i32.const -1) (i32.const 77) (i32.const 0) (i32.const 0) (global.get $status)))
    ;; Two messages do not overtake each other, and contexts do not mix.
    (call $send (local.get $next) (i32.const 3) (i32.const 0) (i32.const 320) (i32.const 4) (i32.const 2))
    (call $send (local.get $next) (i32.const 3) (i32.const 1) (i32.const 320) (i32.const 8) (i32.const 2))
    (call $send (local.get $next) (i32.const 3) (i32.const 0) (i32.const 324) (i32.const 4) (i32.const 2))
    (call $receive (i32.const -1) (i32.const 3) (i32.const 0) (global.get $in) (i32.const 4) (i32.const 0))
    (call $note_received)
    (call $receive (i32.const -1) (i32.const -1) (i32.const 0) (global.get $in) (i32.const 4) (i32.const 0))
    (call $note_received)
    (call $receive (i32.const -1) (i32.const -1) (i32.const 1) (global.get $in) (i32.const 64) (global.get $status))
    (call $note_status))

  ;; The same with requests, and some that this rank sends itself.
  (func $requests (param $next i32)
    (local $sent i32) (local $received i32)
    (i32.store (global.get $out) (i32.add (call $rank) (i32.const 100)))
    (local.set $sent
      (call $isend (local.get $next) (i32.const 2) (i32.const 6) (global.get $out) (i32.const 8) (i32.const 1)))
    ;; The bytes were copied.
    (i32.store (global.get $out) (i32.const 0))
    (local.set $received
      (call $ireceive (i32.const -1) (i32.const -1) (i32.const 6) (global.get $in) (i32.const 8)))
    (call $note (i32.gt_s (local.get $sent) (i32.const 0)))
    (call $note (i32.ne (local.get $sent) (local.get $received)))
    (call $list (i32.const 0) (local.get $received))
    (call $note (call $wait (global.get $requests) (i32.const 2) (global.get $status)))
    (call $note_status)
    (call $note_received)
    (call $list (local.get $sent) (i32.const 0))
    (call $note (call $wait (global.get $requests) (i32.const 2) (global.get $status)))
    (call $note_status)
    ;; Only zeros, and nothing.
    (call $list (i32.const 0) (i32.const 0))
    (call $note (call $wait (global.get $requests) (i32.const 2) (i32.const 0)))
    (call $note (call $wait (i32.const 0) (i32.const 0) (i32.const 0)))
    ;; A message without bytes, to this rank.
    (local.set $sent
      (call $isend (call $rank) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 2)))
    (call $note (call $test (local.get $sent) (global.get $status)))
    (call $note_status)
    (local.set $received
      (call $ireceive (call $rank) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0)))
    (call $note (call $test (local.get $received) (global.get $status)))
    (call $note_status)
    ;; A request that is not complete at first.
    (local.set $received
      (call $ireceive (call $rank) (i32.const 5) (i32.const 0) (global.get $in) (i32.const 4)))
    (call $note (call $test (local.get $received) (i32.const 0)))
    (call $send (call $rank) (i32.const 5) (i32.const 0) (i32.const 324) (i32.const 4) (i32.const 0))
    (call $note (call $test (local.get $received) (i32.const 0)))
    (call $note_received))

  ;; Rank 0 appends the notes of all others to its own.
  (func $gather
    (local $other i32)
    (if (call $rank)
      (then
        (call $send
          (i32.const 0) (i32.const 9) (i32.const 0) (i32.const 2072)
          (i32.sub (global.get $notes) (i32.const 2072)) (i32.const 0))
        (return)))
    (local.set $other (i32.const 1))
    (block $done
      (loop $all
        (br_if $done (i32.eq (local.get $other) (call $size)))
        (call $receive
          (local.get $other) (i32.const 9) (i32.const 0) (global.get $notes) (i32.const 4096) (global.get $status))
        (global.set $notes (i32.add (global.get $notes) (i32.load offset=8 (global.get $status))))
        (local.set $other (i32.add (local.get $other) (i32.const 1)))
        (br $all))))

  ;; What rank 0 does in another way, by the seed. Returns its exit code.
  (func $wrong (param $way i32) (result i32)
    (local $count i32)
    (block $fault_0 (block $fault_3 (block $code (block $many (block $long_log (block $checkpoint_outside
    (block $restore_outside (block $open_checkpoint (block $deadlock (block $wait_count (block $test_0
    (block $wait_unknown (block $truncated (block $receive_context (block $receive_tag (block $receive_rank
    (block $status_outside (block $long_send (block $send_outside (block $send_mode (block $send_context
    (block $send_tag (block $send_rank (block $abort_7
      (br_table $abort_7 $abort_7 $send_rank $send_tag $send_context $send_mode $send_outside $long_send
        $status_outside $receive_rank $receive_tag $receive_context $truncated $wait_unknown $test_0 $wait_count
        $deadlock $open_checkpoint $restore_outside $checkpoint_outside $long_log $many $code $fault_3 $fault_0
        (local.get $way)))
      (; 1: abort_7 ;)
      (call $abort (i32.const 7)) (unreachable))
      (; 2: send_rank ;)
      (call $send (call $size) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0)) (unreachable))
      (; 3: send_tag ;)
      (call $send (i32.const 0) (i32.const -1) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0)) (unreachable))
      (; 4: send_context ;)
      (call $send (i32.const 0) (i32.const 0) (i32.const -1) (i32.const 0) (i32.const 0) (i32.const 0)) (unreachable))
      (; 5: send_mode ;)
      (call $send (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 3)) (unreachable))
      (; 6: send_outside ;)
      (call $send (i32.const 0) (i32.const 0) (i32.const 0) (i32.const -4) (i32.const 8) (i32.const 0)) (unreachable))
      (; 7: long_send, 1 byte more than 256 MiB ;)
      (call $send (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 268435457) (i32.const 0))
      (unreachable))
      (; 8: status_outside ;)
      (drop (call $probe (i32.const -1) (i32.const -1) (i32.const 0) (i32.const 0) (i32.const 65528))) (unreachable))
      (; 9: receive_rank ;)
      (call $receive (i32.const -2) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
      (unreachable))
      (; 10: receive_tag ;)
      (call $receive (i32.const -1) (i32.const -2) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
      (unreachable))
      (; 11: receive_context ;)
      (call $receive (i32.const -1) (i32.const -1) (i32.const -1) (i32.const 0) (i32.const 0) (i32.const 0))
      (unreachable))
      (; 12: truncated ;)
      (call $send (i32.const 0) (i32.const 4) (i32.const 0) (i32.const 320) (i32.const 8) (i32.const 0))
      (call $receive (i32.const 0) (i32.const 4) (i32.const 0) (global.get $in) (i32.const 4) (i32.const 0))
      (unreachable))
      (; 13: wait_unknown ;)
      (call $list (i32.const 0) (i32.const 99))
      (drop (call $wait (global.get $requests) (i32.const 2) (i32.const 0))) (unreachable))
      (; 14: test_0 ;)
      (drop (call $test (i32.const 0) (i32.const 0))) (unreachable))
      (; 15: wait_count ;)
      (drop (call $wait (global.get $requests) (i32.const 16385) (i32.const 0))) (unreachable))
      (; 16: deadlock ;)
      (drop (call $probe (i32.const 0) (i32.const 8) (i32.const 0) (i32.const 1) (i32.const 0))) (unreachable))
      (; 17: open_checkpoint ;)
      (call $send (i32.const 0) (i32.const 4) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
      (call $checkpoint (i32.const 0) (i32.const 0)) (unreachable))
      (; 18: restore_outside ;)
      (drop (call $restore (i32.const 65535) (i32.const 2))) (unreachable))
      (; 19: checkpoint_outside ;)
      (call $checkpoint (i32.const 65535) (i32.const 2)) (unreachable))
      (; 20: long_log, 1 byte more than 1 MiB ;)
      (call $log (i32.const 0) (i32.const 1048577)) (unreachable))
      (; 21: many, 1 request more than 16 384 ;)
      (loop $more
        (drop (call $ireceive (i32.const 0) (i32.const 8) (i32.const 0) (i32.const 0) (i32.const 0)))
        (local.set $count (i32.add (local.get $count) (i32.const 1)))
        (br_if $more (i32.le_u (local.get $count) (i32.const 16384))))
      (unreachable))
      (; 22: code ;)
      (return (i32.const -4)))
      (; 23: fault_3 ;)
      (global.set $fault (i32.const 3)) (unreachable))
    (; 24: fault_0 ;)
    (unreachable))

  (func (export "potluck_main") (param $request i32) (param $bytes i32) (result i64)
    (local $way i32) (local $next i32) (local $code i32) (local $length i32)
    (local.set $way (i32.load offset=8 (local.get $request)))
    (if (local.get $way)
      (then
        (if (call $rank)
          (then
            (if (i32.eq (local.get $way) (i32.const 17))
              (then (call $checkpoint (i32.const 0) (i32.const 0)))
              (else
                (call $receive (i32.const 0) (i32.const 8) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))))))
        (local.set $code (call $wrong (local.get $way))))
      (else
        (local.set $next (i32.rem_u (i32.add (call $rank) (i32.const 1)) (call $size)))
        (call $alone)
        (call $ring (local.get $next)
          (i32.rem_u (i32.add (call $rank) (i32.sub (call $size) (i32.const 1))) (call $size)))
        (call $requests (local.get $next))
        ;; The state: this rank, and its square.
        (i32.store (global.get $out) (call $rank))
        (i32.store offset=4 (global.get $out) (i32.mul (call $rank) (call $rank)))
        (call $checkpoint (global.get $out) (i32.const 8))
        (call $gather)))
    ;; The answer: shape 5, the code, and the notes.
    (local.set $length (i32.sub (global.get $notes) (i32.const 2072)))
    (i64.store (global.get $answer) (i64.const 5))
    (i64.store offset=8 (global.get $answer) (i64.extend_i32_s (local.get $code)))
    (i64.store offset=16 (global.get $answer) (i64.extend_i32_u (local.get $length)))
    (call $give (global.get $answer)
      (i32.and (i32.add (local.get $length) (i32.const 31)) (i32.const -8)))))

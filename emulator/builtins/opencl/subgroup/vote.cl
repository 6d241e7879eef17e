// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_subgroup_non_uniform_vote and _ballot. A sub-group has at most US_LARGEST_SUB_GROUP work-items: a ballot needs
// only the first component.
#include "emulator/builtins/opencl/subgroup/collective.h"

// A bit for each participant whose predicate holds, and who took part.
typedef struct {
  uint votes, participants;
} us_Ballot;
US_INLINE us_Ballot us_ballot(bool predicate) {
  if (us_side_by_side()) {
    us_Ballot ballot = {us_votes(predicate), us_votes(1)};
    return ballot;
  }
  __local uint *slots = US_SLOTS(uint);
  uint lane = us_sub_group_lane();
  US_AT(slots, lane) = predicate;
  uint participants = us_participants();
  if (lane == us_first_of(participants)) {
    uint votes = 0;
    for (uint other = 0; other < US_LARGEST_SUB_GROUP; ++other)
      if (participants >> other & 1) votes |= US_AT(slots, other) << other;
    US_AT(slots, lane) = votes;
  }
  us_participants();
  us_Ballot ballot = {US_AT(slots, us_first_of(participants)), participants};
  us_participants();
  return ballot;
}

US_OVERLOAD US_CONVERGENT int sub_group_elect(void) { return us_sub_group_lane() == us_first_of(us_participants()); }
US_OVERLOAD US_CONVERGENT int sub_group_non_uniform_all(int predicate) {
  us_Ballot ballot = us_ballot(predicate != 0);
  return ballot.votes == ballot.participants;
}
US_OVERLOAD US_CONVERGENT int sub_group_non_uniform_any(int predicate) { return us_ballot(predicate != 0).votes != 0; }

#define ALL_EQUAL(T, ...)                                                                                              \
  US_OVERLOAD US_CONVERGENT int sub_group_non_uniform_all_equal(T x) {                                                 \
    __local T *slots = US_SLOTS(T);                                                                                    \
    US_AT(slots, us_sub_group_lane()) = x;                                                                             \
    uint participants = us_participants();                                                                             \
    bool equal = x == US_AT(slots, us_first_of(participants));                                                         \
    us_participants();                                                                                                 \
    return sub_group_non_uniform_all(equal);                                                                           \
  }
US_SUB_GROUP_TYPES(ALL_EQUAL, )

US_OVERLOAD US_CONVERGENT uint4 sub_group_ballot(int predicate) {
  return (uint4)(us_ballot(predicate != 0).votes, 0, 0, 0);
}
US_OVERLOAD int sub_group_inverse_ballot(uint4 value) { return value.x >> us_sub_group_lane() & 1; }
US_OVERLOAD int sub_group_ballot_bit_extract(uint4 value, uint index) {
  return index < us_sub_group_size() ? value.x >> index & 1 : 0;
}
// Of these only "the bits in value that are required to represent all bits in the subgroup's maximum size" count.
US_INLINE uint us_votes_in(uint4 value) { return value.x & us_full_sub_group(); }
US_OVERLOAD uint sub_group_ballot_bit_count(uint4 value) { return __builtin_popcount(us_votes_in(value)); }
US_OVERLOAD uint sub_group_ballot_inclusive_scan(uint4 value) {
  return __builtin_popcount(value.x & ~(~1u << us_sub_group_lane()));
}
US_OVERLOAD uint sub_group_ballot_exclusive_scan(uint4 value) {
  return __builtin_popcount(value.x & ~(~0u << us_sub_group_lane()));
}
// Of an empty ballot the result is undefined.
US_OVERLOAD uint sub_group_ballot_find_lsb(uint4 value) {
  return us_votes_in(value) == 0 ? 0 : __builtin_ctz(us_votes_in(value));
}
US_OVERLOAD uint sub_group_ballot_find_msb(uint4 value) {
  return us_votes_in(value) == 0 ? 0 : 31 - __builtin_clz(us_votes_in(value));
}

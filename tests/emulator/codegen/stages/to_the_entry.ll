; The stages of the product by their names: in the end the kernel is its entry function, in each tier.
; RUN: us-opt -stage=extract,simplify,improve,lower,form,optimize -kernel=k -tier=loop -local-size=64,1,1 %s | FileCheck %s
; RUN: us-opt -stage=extract,simplify,improve,lower,form,optimize -kernel=k -tier=fiber %s | FileCheck %s --check-prefix=FIBER
; RUN: us-opt -stage=extract,simplify,lower,form,clean -kernel=k -tier=loop -baseline -local-size=64,1,1 %s | FileCheck %s --check-prefix=CLEAN
; RUN: not us-opt -stage=polish -kernel=k %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; UNKNOWN: us-opt: there is no stage 'polish'
target triple = "x86_64-pc-linux-gnu"
declare i64 @us.global_id(i32)

; CHECK:     define {{.*}}void @k(ptr {{.*}}%launch, ptr {{.*}}%group, i64 {{.*}}, i64 {{.*}})
; CHECK-NOT: call {{.*}}@us.
; CHECK:     store <{{[0-9]+}} x i32>
; FIBER:     define {{.*}}void @k(ptr {{.*}}%item)
; FIBER-NOT: call {{.*}}@us.
; FIBER:     store i32
; CLEAN:     define {{.*}}void @k(ptr {{.*}}%launch, ptr {{.*}}%group, i64 {{.*}}, i64 {{.*}})
; CLEAN-NOT: call {{.*}}@us.
; CLEAN:     store i32
define spir_kernel void @k(ptr addrspace(1) align 4 %out) {
  %slot = alloca ptr addrspace(1)
  store ptr addrspace(1) %out, ptr %slot
  %id = call i64 @us.global_id(i32 0)
  %begin = load ptr addrspace(1), ptr %slot
  %place = getelementptr inbounds i32, ptr addrspace(1) %begin, i64 %id
  %value = trunc i64 %id to i32
  store i32 %value, ptr addrspace(1) %place, align 4
  ret void
}

#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <math.h>
#include <time.h>
static int n; static double d[64*64]; static int order[64]; static double best=INFINITY; static uint64_t expanded;
static void walk(int k,double len){
  if(k==n){ double c=len+d[order[n-1]*n]; if(c<best) best=c; return; }
  for(int b=0;b<n-k;b++){
    int t=order[k]; order[k]=order[k+b]; order[k+b]=t;
    double l=len+d[order[k-1]*n+order[k]];
    expanded++;
    if(l<best) walk(k+1,l);
    t=order[k]; order[k]=order[k+b]; order[k+b]=t;
  }
}
int main(int c,char**v){ n=atoi(v[1]); uint64_t s=3+0x9E3779B97F4A7C15ull; double x[64],y[64];
 for(int i=0;i<n;i++){ s^=s<<13;s^=s>>7;s^=s<<17; x[i]=(double)(s>>11)/0x1p53*1000; s^=s<<13;s^=s>>7;s^=s<<17; y[i]=(double)(s>>11)/0x1p53*1000; }
 for(int i=0;i<n;i++)for(int j=0;j<n;j++)d[i*n+j]=sqrt((x[i]-x[j])*(x[i]-x[j])+(y[i]-y[j])*(y[i]-y[j]));
 for(int i=0;i<n;i++)order[i]=i;
 struct timespec a,b; clock_gettime(CLOCK_PROCESS_CPUTIME_ID,&a); walk(1,0); clock_gettime(CLOCK_PROCESS_CPUTIME_ID,&b);
 double t=b.tv_sec-a.tv_sec+(b.tv_nsec-a.tv_nsec)*1e-9; printf("%f %lu %f s %f M/s\n",best,expanded,t,expanded/t/1e6);}
